import { findFirstAdministrator } from '#access/index.ts'
import { build } from '#app.ts'
import type { Context } from '#context.ts'
import { markClosed, markOpen } from '#kernel/database/store-state.ts'
import { findFewDescriptors } from '#kernel/descriptors.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { ClientGone, messageOf } from '#kernel/errors.ts'
import { lockInstance } from '#kernel/instance-lock.ts'
import { slices } from '#slices.ts'
import { announce } from './announce.ts'
import type { Session } from './environment.ts'
import { type Administrator, ensureAdministrator } from './first-administrator.ts'
import { drain, listen, type Server } from './listen.ts'
import { configOf, type StoreOptions } from './load.ts'
import { openContextOf, prepareDirectory } from './open-store.ts'
import { stopSignals } from './stop-signals.ts'

export interface ServeOptions extends StoreOptions {
  host?: string
  port?: number
  adminUsername?: string
  adminPassword?: string
  adminEmail?: string
}

/**
 * Serves until Ctrl-C or SIGTERM, then answers what is under way, closes everything and returns.
 * @throws Error when the data directory is taken, the port is, or a setting is wrong
 */
export async function runServer(options: ServeOptions, session: Session): Promise<void> {
  const config = configOf(options, session.environment, { server: definedOnly({ HTTP_ADDR: options.host, HTTP_PORT: options.port }) })
  using signals = stopSignals()
  prepareDirectory(config)
  using _lock = lockInstance(config.dataPath)
  await using context = openContextOf(config, true)
  void signals.second.then(() => context.tasks.abandon())
  context.secrets.check()
  context.db.waitAtMost(BUSY_MS)
  const app = build(context)
  await settle(context)
  // Whoever waits for the first answer of a new server signs in with the next.
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>()
  const server = listen(app, context, findFirstAdministrator(context.db) ? undefined : ready)
  const newcomer = await firstAdministrator(context, server, options, session)
  begin()
  logStrays(context)
  warnOfFewDescriptors(context)
  startBackground(context)
  announce(context, server, newcomer, session.out)
  const stopped = await Promise.race([signals.first, context.disk.lost])
  session.out.warn(
    stopped instanceof Error
      ? `Disk failure (${stopped.message}): finishing running requests, then stopping. Check the disk, then run "pocketforge doctor".`
      : `${stopped}: finishing running requests (repeat to stop immediately)`,
  )
  if (stopped instanceof Error) session.exitCode = 1
  await drain(server, config.server.SHUTDOWN_SECONDS, signals.second)
  if (!context.disk.isLost) noteClosed(context)
}

/** Made once the port is ours: a password that was made up for a start that fails would have been shown to nobody. */
async function firstAdministrator(context: Context, server: Server, options: ServeOptions, { environment }: Session): Promise<Administrator> {
  try {
    return await ensureAdministrator(context, options, environment)
  } catch (error) {
    await server.stop(true)
    throw error
  }
}

/** A failure that nobody waits for must not take the server down with everyone's requests. */
function logStrays(context: Pick<Context, 'log'>): void {
  process.on('unhandledRejection', (error) => error instanceof ClientGone || context.log.error('unhandled rejection', error))
}

function warnOfFewDescriptors({ log }: Pick<Context, 'log'>): void {
  const few = findFewDescriptors()
  if (few !== undefined) log.warn(`The limit of open files is only ${few}: under load, the server rejects requests. Raise the limit (ulimit -n).`)
}

/** A disk that refuses keeps nobody from reading: what could not be taken back is in the background, again and again. */
async function settle(context: Context): Promise<void> {
  for (const slice of slices) {
    try {
      await slice.settle?.(context)
    } catch (error) {
      context.disk.report(error)
      context.log.error(`cannot roll back unfinished work of ${slice.name}`, error)
    }
  }
}

/** How long the server holds everybody up for what the command line writes; requests wait longer, each for itself. */
const BUSY_MS = 50

/** How long after the start the rooms' own work begins, in milliseconds: the first requests come before it. */
const BACKGROUND_DELAY = 250
/** How long after that, and again, when the disk refused. */
const REFUSED_DELAY = 15_000

/** Finishes what an earlier run could not, and starts what repeats. */
function startBackground(context: Context, delay = BACKGROUND_DELAY): void {
  context.tasks.later(delay, 'start background work', async () => {
    if (!noteOpen(context)) return startBackground(context, REFUSED_DELAY)
    await context.tasks.start('start of background jobs', () => context.jobs.start())
    for (const { name, start } of slices) if (start) await context.tasks.start(`start of ${name}`, () => start(context))
  })
}

/** @returns false when the disk takes nothing now: requests are answered all the same, and it may later */
function noteOpen({ db, log }: Pick<Context, 'db' | 'log'>): boolean {
  try {
    markOpen(db)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    log.error('cannot write to the disk: background work starts when it is writable', error)
    return false
  }
}

/** A disk that takes nothing keeps nobody from stopping: what the store holds is as a crash would leave it. */
function noteClosed({ db, log }: Pick<Context, 'db' | 'log'>): void {
  try {
    markClosed(db)
  } catch (error) {
    if (!isRefusal(error)) throw error
    log.warn('cannot write to the disk: the database is not marked as closed', { error: messageOf(error) })
  }
}

function isRefusal(error: unknown): boolean {
  const trouble = diskTroubleOf(error)
  return trouble !== undefined && trouble !== 'lost'
}

function definedOnly(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
