import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { countLanguages, type Languages, recountLanguages } from './count-languages.ts'
import { detectLicenses, hasSameLicenseFiles } from './detect-licenses.ts'

export interface Survey {
  languages: Languages
  /** SPDX identifiers. */
  licenses: readonly string[]
  /** Nothing was left out: what comes after it can be surveyed by what differs. */
  isWhole: boolean
}

/** What a tree is written in, and under which licences. @throws GitError `missing` or `corrupt` */
export async function surveyTree(store: ObjectReader, tree: Oid): Promise<Survey> {
  return { ...(await countLanguages(store, tree)), licenses: await detectLicenses(store, tree) }
}

/**
 * The same by what differs from a tree that was surveyed whole, by these rules.
 * @returns undefined where that does not do
 * @throws GitError `missing` or `corrupt`, `limit` when the trees cannot be compared
 */
export async function surveyChanges(store: ObjectReader, before: { tree: Oid } & Omit<Survey, 'isWhole'>, tree: Oid): Promise<Survey | undefined> {
  const languages = await recountLanguages(store, before, tree)
  if (!languages) return undefined
  const licenses = hasSameLicenseFiles(store, before.tree, tree) ? before.licenses : await detectLicenses(store, tree)
  return { languages, licenses, isWhole: true }
}
