import { chmodSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Authenticator } from '#access/authenticate.ts'
import { logBrokenAnswer } from '#access/broken-answer.ts'
import { ClientAddresses } from '#access/client-address.ts'
import { GitService } from '#git/workers/service.ts'
import { type Clock, systemClock } from '#kernel/clock.ts'
import { Checkpoints } from '#kernel/database/checkpoints.ts'
import { LongReads } from '#kernel/database/long-reads.ts'
import { closeStore } from '#kernel/database/store-state.ts'
import type { Database } from '#kernel/db.ts'
import { DiskWatch } from '#kernel/disk-trouble.ts'
import { EventLog } from '#kernel/events.ts'
import type { AnyJobKind } from '#kernel/jobs/define-job.ts'
import { Jobs } from '#kernel/jobs/jobs.ts'
import { Locks } from '#kernel/locks.ts'
import { type Log, lineLog } from '#kernel/log.ts'
import { SecretBox } from '#kernel/secret-box.ts'
import { Services } from '#kernel/services.ts'
import { Tasks } from '#kernel/tasks.ts'
import { Outbox } from '#outbound/mail/index.ts'
import { type Config, gitLimits } from './config.ts'
import type { ForgeEvent } from './events.ts'

/** All that a slice works with; passed in, never global. */
export interface Context extends AsyncDisposable {
  config: Config
  db: Database
  git: GitService
  events: EventLog<ForgeEvent>
  /** Shared by the API, git and everything else that answers requests: one verdict on credentials. */
  authenticator: Authenticator
  /** Where requests come from. */
  clients: ClientAddresses
  /** For what must be read again, and by nobody who has only the database. */
  secrets: SecretBox
  /** Periodic and one-time tasks of this process. */
  tasks: Tasks
  /** Background jobs that survive a restart. */
  jobs: Jobs<Context>
  /** Mail to accounts; sent after the commit of the transaction that it is queued in. */
  mail: Outbox
  /** By repository: pushes share it, upkeep that removes objects takes it alone. */
  pushes: Locks
  /** Hears of errors of the disk; once it has lost something, nothing is written any more. */
  disk: DiskWatch
  /** Hears why an answer broke off that was sent in part, where that was not its reader's doing. */
  answerBroke(error: unknown, request: Request): void
  /** What rooms keep in memory: caches, what is under way, and what rooms above them have registered (`hooks.ts`). */
  services: Services<Context>
  clock: Clock
  log: Log
  /** `http://host:port/`, with the trailing slash; from `server.ROOT_URL`, or set once the server listens. */
  rootUrl: string
}

export interface ContextParts {
  clock?: Clock
  log?: Log
  /** See `Jobs`. */
  isBatchOver?: (steps: number) => boolean
}

/** The parts of a room that a context uses; see `Slice`. */
interface Room {
  readonly name: string
  readonly attach?: (context: Context) => void
  readonly jobs?: () => Promise<readonly AnyJobKind<Context>[]>
}

/**
 * Opens everything that works on the data directory (0700, made when absent), whose database is open and migrated. Disposing waits for background work and closes it all,
 * the database too.
 * @param rooms all of them: what they register decides, among other things, which pushes are refused
 */
export function openContext(config: Config, db: Database, rooms: readonly Room[], parts: ContextParts = {}): Context {
  const repositories = join(config.dataPath, 'repositories')
  mkdirSync(repositories, { recursive: true, mode: 0o700 })
  chmodSync(config.dataPath, 0o700)
  const clock = parts.clock ?? systemClock
  const log = parts.log ?? lineLog(config.log.LEVEL, (line) => process.stderr.write(line))
  const disk = new DiskWatch()
  const onFailure = (error: Error) => disk.report(error)
  const git = new GitService({ directory: repositories, limits: gitLimits(config), workers: workerCount(config), memoryBytes: config.git.MEMORY, onFailure })
  db.listener = {
    effectFailed: (error) => log.error('after-commit hook failed', error),
    writeFailed: (error) => disk.report(error),
    beforeWrite: () => disk.refuseWriting(),
  }
  const tasks = new Tasks(log, clock, disk)
  const clients = new ClientAddresses(config, log)
  const secrets = new SecretBox(config.dataPath)
  const mail = new Outbox({ config, db, clock, tasks, log, secrets })
  if (db.path !== '') {
    db.handOverCheckpoints(() => context.services.get(Checkpoints).begin())
    db.handOverLongReads((queries, line) => context.services.get(LongReads).ask(queries, line))
  }
  const context: Context = {
    config,
    db,
    git,
    events: new EventLog(db, clock),
    authenticator: new Authenticator(db, config, clock, clients),
    clients,
    secrets,
    tasks,
    jobs: new Jobs(
      { db, tasks, clock, log, disk, isBatchOver: parts.isBatchOver },
      () => context,
      async (name) => (await rooms.find((room) => room.name === name)?.jobs?.()) ?? [],
    ),
    disk,
    answerBroke: (error, request) => logBrokenAnswer(context, error, request),
    mail,
    pushes: new Locks(),
    services: new Services(() => context),
    clock,
    log,
    rootUrl: config.server.ROOT_URL === '' ? `http://localhost:${config.server.HTTP_PORT}/` : `${config.server.ROOT_URL.replace(/\/+$/, '')}/`,
    async [Symbol.asyncDispose]() {
      mail.stop()
      git.pool.hasten()
      context.jobs.stop()
      await tasks.stop()
      await context.services[Symbol.asyncDispose]()
      await git.close()
      closeStore(db)
    },
  }
  for (const { attach } of rooms) attach?.(context)
  return context
}

function workerCount(config: Config): number {
  return config.git.WORKERS > 0 ? config.git.WORKERS : Math.min(8, Math.max(2, availableParallelism()))
}
