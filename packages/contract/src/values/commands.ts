/** How people run what Pult's package.json has, as texts tell them: the quick start, and the command line. */
export const startCommand = 'npm start';
export const pultCommand = 'npm run pult --';
