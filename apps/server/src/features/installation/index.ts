export { createInstallationFeature, type InstallationTiming } from './installation.feature.ts';
