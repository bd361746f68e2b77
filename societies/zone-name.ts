/** 'Lisbon' of Europe/Lisbon */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
