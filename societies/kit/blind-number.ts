/** '021': how the number that stands for a candidate is written wherever the name is covered (product 7.16.12). */
export const blindNumber = (number: number): string => String(number).padStart(3, '0')
