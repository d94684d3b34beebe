import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { CollectedBudget } from '../store/budget.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import type { OpenRepo } from './open-repos.ts'

export interface Survey {
  /** Bytes of each language, the most first. */
  languages: [name: string, bytes: number][]
  /** SPDX identifiers. */
  licenses: string[]
}

export const surveyTasks = {
  /** What a commit's tree is written in, and under which licences. @throws GitError `missing` or `corrupt` */
  async surveyCommit({ store }: OpenRepo, { commit }: { commit: Oid }): Promise<Survey> {
    // Loaded with the first survey: the tables are large.
    const [{ countLanguages }, { detectLicenses }] = await Promise.all([import('../survey/count-languages.ts'), import('../survey/detect-licenses.ts')])
    const reader = new FrugalReader(store, new CollectedBudget())
    const { tree } = parseCommit(reader.get(commit, 'commit').data)
    return { languages: await countLanguages(reader, tree), licenses: await detectLicenses(reader, tree) }
  },
}
