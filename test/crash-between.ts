// A process that commits to a repository and dies between two lines of it: `bun test/crash-between.ts DATA REPO_ID POINT`.
// Prints the commit's id before it lands. What dies is the code as it ships; only this process' database is made to kill it.
import { writeSync } from 'node:fs'
import { openContextOf } from '#cli/open-store.ts'
import { makeConfig } from '#config.ts'
import type { Tx } from '#kernel/db.ts'
import { writeObjects } from '#repositories/refs/index.ts'

export type CrashPoint = 'marked' | 'published' | 'committed'

const [data, repoId, point] = process.argv.slice(2) as [string, string, CrashPoint]
const context = openContextOf(makeConfig(data, {}), true)
const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** The first transaction from now on marks the store, the second publishes and moves the ref. */
function dieIn(db: typeof context.db): void {
  const tx = db.tx.bind(db) as <T>(work: (tx: Tx) => T) => T
  let count = 0
  db.tx = ((work: (tx: Tx) => unknown) => {
    count++
    if (count === 2 && point === 'marked') die()
    const answer = tx((inner) => {
      const done = work(inner)
      if (count === 2 && point === 'published') die()
      return done
    })
    if (count === 2) die()
    return answer
  }) as typeof db.tx
}

await writeObjects(context, Number(repoId), async (writing) => {
  const oid = await writing.make('firstCommit', { files: [{ path: 'file', data: point }], who, message: point })
  writeSync(1, `${oid}\n`)
  dieIn(context.db)
  writing.land((_tx, move) => move({ actorId: 1, message: 'crash', updates: [{ name: `refs/heads/${point}`, new: oid, fastForward: true }] }))
})
