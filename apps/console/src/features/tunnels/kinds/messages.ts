/**
 * Of each kind: its `name` on buttons and in the command palette; `short` where there is little room; `open` for
 * buttons without a text; `hint` beside its keys in the palette.
 */
export const ru = {
  newTab: 'Откроется в новой вкладке',
  kind: {
    http: {
      name: 'Веб-интерфейс',
      short: 'Веб-интерфейс',
      open: 'Открыть веб-интерфейс {{serialNumber}}',
      hint: 'веб',
    },
    ssh: {
      name: 'Терминал SSH',
      short: 'SSH',
      open: 'Открыть терминал {{serialNumber}}',
      hint: 'терминал',
    },
  },
} as const;

export const en = {
  newTab: 'Opens in a new tab',
  kind: {
    http: {
      name: 'Web interface',
      short: 'Web interface',
      open: 'Open the web interface of {{serialNumber}}',
      hint: 'web',
    },
    ssh: {
      name: 'SSH terminal',
      short: 'SSH',
      open: 'Open the terminal of {{serialNumber}}',
      hint: 'terminal',
    },
  },
} as const;
