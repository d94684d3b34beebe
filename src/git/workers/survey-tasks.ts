import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { CollectedBudget } from '../store/budget.ts'
import { DiskStore } from '../store/disk.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import type { OpenRepo } from './open-repos.ts'

export interface Survey {
  /** Bytes of each language, the most first. */
  languages: [name: string, bytes: number][]
  /** SPDX identifiers. */
  licenses: string[]
}

/** Files are read once each. */
const CACHE_BYTES = 4 * 1024 * 1024

export const surveyTasks = {
  /** What a commit's tree is written in, and under which licences. @throws GitError `missing` or `corrupt` */
  async surveyCommit({ path, limits }: OpenRepo, { commit }: { commit: Oid }): Promise<Survey> {
    // Loaded with the first survey: the tables are large.
    const [{ countLanguages }, { detectLicenses }] = await Promise.all([import('../survey/count-languages.ts'), import('../survey/detect-licenses.ts')])
    const store = DiskStore.open(path, { limits, cacheBytes: CACHE_BYTES })
    try {
      const reader = new FrugalReader(store, new CollectedBudget())
      const { tree } = parseCommit(reader.get(commit, 'commit').data)
      return { languages: await countLanguages(reader, tree), licenses: await detectLicenses(reader, tree) }
    } finally {
      store.close()
    }
  },
}
