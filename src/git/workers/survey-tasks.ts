import { GitError } from '../errors.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { CollectedBudget } from '../store/budget.ts'
import type { DiskStore } from '../store/disk.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import type { Survey } from '../survey/survey-tree.ts'
import type { OpenRepo } from './open-repos.ts'

/** What an earlier commit was found to be, when nothing was left out. */
export interface EarlierSurvey extends Omit<Survey, 'isWhole'> {
  commit: Oid
}

/** Files are read once each, so they need not fill the thread's cache. */
const CACHE_BYTES = 4 * 1024 * 1024

export const surveyTasks = {
  /**
   * What a commit's tree is written in, and under which licences.
   * @param input.earlier only what differs from that is looked at, where that is enough and it is still there
   * @throws GitError `missing` or `corrupt`
   */
  async surveyCommit(repo: OpenRepo, { commit, earlier }: { commit: Oid; earlier?: EarlierSurvey | undefined }): Promise<Survey> {
    const tree = treeOf(repo.store, commit)
    return (earlier && (await surveySince(repo, earlier, tree))) ?? surveyWhole(repo, tree)
  },
}

async function surveySince({ store }: OpenRepo, { commit, ...found }: EarlierSurvey, tree: Oid): Promise<Survey | undefined> {
  const { surveyChanges } = await surveys()
  try {
    return await surveyChanges(new FrugalReader(store, new CollectedBudget()), { tree: treeOf(store, commit), ...found }, tree)
  } catch (error) {
    // Of what nobody refers to any longer some may be gone.
    if (error instanceof GitError) return undefined
    throw error
  }
}

async function surveyWhole(repo: OpenRepo, tree: Oid): Promise<Survey> {
  const { surveyTree } = await surveys()
  return repo.readFrugally(CACHE_BYTES, (reader) => surveyTree(reader, tree))
}

/** Loaded with the first survey: the tables are large. */
function surveys() {
  return import('../survey/survey-tree.ts')
}

function treeOf(store: DiskStore, commit: Oid): Oid {
  return parseCommit(store.get(commit, 'commit').data).tree
}
