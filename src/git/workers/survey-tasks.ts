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

/** The files of a larger repository do not fill the thread's cache: they are read once each. Opening one of many packs anew takes longer than most surveys. */
const MANY_OBJECTS = 100_000
const CACHE_BYTES = 4 * 1024 * 1024

export const surveyTasks = {
  /** What a commit's tree is written in, and under which licences. @throws GitError `missing` or `corrupt` */
  async surveyCommit({ path, limits, store }: OpenRepo, { commit }: { commit: Oid }): Promise<Survey> {
    // Loaded with the first survey: the tables are large.
    const [{ countLanguages }, { detectLicenses }] = await Promise.all([import('../survey/count-languages.ts'), import('../survey/detect-licenses.ts')])
    const { tree } = parseCommit(store.get(commit, 'commit').data)
    const own = countPacked(store) > MANY_OBJECTS ? DiskStore.open(path, { limits, cacheBytes: CACHE_BYTES }) : undefined
    try {
      const reader = new FrugalReader(own ?? store, new CollectedBudget())
      return { languages: await countLanguages(reader, tree), licenses: await detectLicenses(reader, tree) }
    } finally {
      own?.close()
    }
  },
}

function countPacked({ packs }: DiskStore): number {
  return packs.reduce((sum, { index }) => sum + index.count, 0)
}
