import { createIcon } from './create-icon.ts';

export const IconX = createIcon('M18 6l-12 12', 'M6 6l12 12');
