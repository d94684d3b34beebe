import { type HistoryStats, historyStats, type StatsOptions } from '../history/history-stats.ts'
import type { OpenRepo } from './open-repos.ts'

export const statsTasks = {
  /** Who has done how much in a history, and when; see `historyStats`. */
  async historyStats(repo: OpenRepo, options: StatsOptions): Promise<HistoryStats> {
    return historyStats(repo.commits(), options)
  },
}
