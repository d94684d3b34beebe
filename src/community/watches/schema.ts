import type { Static } from 'elysia'
import { WatchInfo as Info } from '#work/issues/index.ts'

export const WatchInfo = Info
export type WatchInfo = Static<typeof Info>
