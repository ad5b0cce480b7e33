import { createIcon } from './create-icon.ts';

export const IconArrowLeft = createIcon('M5 12l14 0', 'M5 12l6 6', 'M5 12l6 -6');
