import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './compress-assets.ts';
import { routeTable } from './route-table.ts';

const server = 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), routeTable(), compressAssets()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The server allows no data: scripts and caches files by their hash, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the first page loads anyway is one file: apart it is 3 % more, and many requests.
      output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server, ws: true },
      '/api-agent': { target: server, ws: true },
    },
  },
});
