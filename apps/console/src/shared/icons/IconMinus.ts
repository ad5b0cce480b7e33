import { createIcon } from './create-icon.ts';

export const IconMinus = createIcon('M5 12l14 0');
