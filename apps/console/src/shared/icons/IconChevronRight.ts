import { createIcon } from './create-icon.ts';

export const IconChevronRight = createIcon('M9 6l6 6l-6 6');
