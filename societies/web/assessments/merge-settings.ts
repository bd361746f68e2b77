import type { AssessmentSettings } from '../../contract/lifecycle.ts'

export type SettingsField = keyof AssessmentSettings

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields that somebody changed, compared with what was read. */
export function changedFields(read: AssessmentSettings, mine: AssessmentSettings): SettingsField[] {
  return (Object.keys(read) as SettingsField[]).filter((field) => !isSame(read[field], mine[field]))
}

/**
 * What two people made of the same settings: fields that one of them alone touched are taken as they are; where
 * both did, and not alike, the person picks (product 7.8.6). Until then mine stand.
 * @param read what both began with
 */
export function mergeSettings(
  read: AssessmentSettings,
  mine: AssessmentSettings,
  theirs: AssessmentSettings,
): { merged: AssessmentSettings; conflicts: SettingsField[] } {
  const touched = changedFields(read, mine)
  const conflicts = touched.filter(
    (field) => !isSame(read[field], theirs[field]) && !isSame(mine[field], theirs[field]),
  )
  const kept = Object.fromEntries(touched.map((field) => [field, mine[field]]))
  return { merged: { ...theirs, ...kept }, conflicts }
}

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
