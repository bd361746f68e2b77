import type { AssessmentSettings } from '../../contract/lifecycle.ts'

export type SettingsField = keyof AssessmentSettings

/** How a field is called beside its two values. */
export const FIELD_NAMES: Readonly<Record<SettingsField, string>> = {
  society: 'Name that candidates read',
  session: 'Session',
  season: 'Season',
  durationSeconds: 'Duration',
  opens: 'Opens',
  closes: 'Last start',
  timeZone: 'Time zone',
  shuffle: 'Own order for each candidate',
  navigator: 'Navigator',
  timing: 'Rules on timing',
  allowed: 'Allowed',
  forbidden: 'Forbidden',
  contact: 'Contact',
}

/** A value of a field as a person reads it. */
export function fieldWords(field: SettingsField, settings: AssessmentSettings): string {
  const value = settings[field]
  if (field === 'durationSeconds') return `${settings.durationSeconds / 60} min`
  if (value === null) return field === 'opens' || field === 'closes' ? 'no limit' : 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(' · ')
  return String(value).replace('T', ' ')
}
