export const ru = {} as const;

export const en = {} as const;
