import type { Clock } from '#kernel/clock.ts'
import type { Database, Tx } from '#kernel/db.ts'
import { randomHex } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import type { Page } from '#kernel/page.ts'
import type { SecretBox } from '#kernel/secret-box.ts'
import type { Tasks } from '#kernel/tasks.ts'
import { type MailSettings, mailSettings } from './connection.ts'
import { type Deliver, delivery, type Message } from './deliver.ts'
import { judgeFailure } from './failure.ts'
import { type Letter, oneLine } from './letter.ts'
import { openLetter, sealLetter } from './sealed-letter.ts'
import type { MailConfig } from './settings.ts'
import {
  claimMail,
  countMails,
  type DueMail,
  findDueMail,
  hasten,
  hastenSome,
  insertMail,
  listWaiting,
  noteFailure,
  removeMail,
  removeMailsBefore,
  type WaitingMail,
} from './store.ts'

export interface OutboxParts {
  config: MailConfig
  db: Database
  clock: Clock
  tasks: Tasks
  log: Log
  secrets: SecretBox
}

export interface MailOptions {
  /** One of the account's addresses; its primary one if absent. */
  address?: string
  isForInactive?: boolean
}

const POLL_SECONDS = 30
const FIRST_DELAY = 60
const LONGEST_DELAY = 6 * 3600
/** How long a mail under way holds up the end of the server, in milliseconds. */
const GRACE = 2000
/** Characters that are kept of what a mail server complains of. */
const MAX_REASON = 500
/** Mails changed in one transaction: a few milliseconds. */
const SLICE = 200
/** Older mail is given up. */
const LONGEST_WAIT = 3 * 86_400

/**
 * Mail on its way out. It is rows, written in the transaction of the change that it tells of, and sent one by one after the commit:
 * nobody waits for it, and what a stop interrupts goes out after the next start.
 */
export class Outbox {
  readonly #parts: OutboxParts
  /** Undefined while mail is off. */
  readonly #settings: MailSettings | undefined
  readonly #deliver: Deliver | undefined
  readonly #stopped = new AbortController()
  #isStarted = false
  #isSending = false
  /** How often in a row the server, not a mail, was what failed. */
  #failures = 0
  /** Unix seconds until which the server is left alone. */
  #quietUntil = 0

  /** @throws Error on settings that do not fit each other */
  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#settings = mailSettings(parts.config)
    this.#deliver = this.#settings && delivery(this.#settings, parts.log, this.#stopped.signal)
  }

  /** Whether mail is sent at all. */
  get isOn(): boolean {
    return this.#settings !== undefined
  }

  /**
   * Writes a mail to an account, unless mail is off or very many wait. Accounts that are inactive when it is sent get none, unless it is for those.
   */
  queue(tx: Tx, to: { id: number }, letter: Letter, { address, isForInactive = false }: MailOptions = {}): void {
    const { clock, log, secrets } = this.#parts
    const settings = this.#settings
    if (!settings) return
    if (countMails(tx) >= settings.capacity) {
      return tx.onCommit(() => log.warn('email dropped: the queue is full (mailer.SEND_BUFFER_LEN)', { user: to.id, subject: letter.subject }))
    }
    const now = clock.seconds()
    const domain = settings.from.address.slice(settings.from.address.lastIndexOf('@'))
    const message_id = `<${randomHex(16)}${domain}>`
    const flags = { sent_to: address ?? null, is_for_inactive: Number(isForInactive) }
    insertMail(tx, { ...sealLetter(secrets, letter), user_id: to.id, ...flags, message_id, next_attempt_at: now, created_at: now })
    tx.onCommit(() => this.#wake())
  }

  /** What waits, the oldest first, and how much that is. */
  listWaiting(page: Page): { rows: WaitingMail[]; total: number } {
    const { db } = this.#parts
    return { rows: listWaiting(db, page), total: countMails(db) }
  }

  /** Tries one mail, or all of them, now, also where the server is left alone for a while. */
  async hasten(id?: number): Promise<void> {
    const { clock, db } = this.#parts
    const now = clock.seconds()
    if (id === undefined) await this.#inSlices((tx) => hastenSome(tx, now, SLICE))
    else db.tx((tx) => hasten(tx, now, id))
    this.#quietUntil = 0
    this.#wake()
  }

  /** Gives up a mail. One that is under way may still arrive. */
  drop(id: number): void {
    this.#parts.db.tx((tx) => removeMail(tx, id))
  }

  /** Sends what waits, and from now on what comes. */
  start(): void {
    const { config, tasks, log } = this.#parts
    if (config.mailer.ENABLED && !this.#settings) log.warn('mail is disabled because network.OFFLINE is true')
    if (!this.#settings) return
    this.#isStarted = true
    tasks.every(POLL_SECONDS, 'send_mail', () => this.sendDue())
    this.#wake()
  }

  /** For the end, before `tasks.stop`: what the mail server has not taken by then waits for the next start. */
  stop(): void {
    setTimeout(() => this.#stopped.abort(), GRACE).unref()
  }

  /** Sends what is due, one mail after the other; a second call while one is under way does nothing. */
  async sendDue(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      for (let mail = this.#nextDue(); mail; mail = this.#nextDue()) await this.#send(mail)
    } finally {
      this.#isSending = false
    }
  }

  #wake(): void {
    if (this.#isStarted) this.#parts.tasks.later(0, 'send_mail', () => this.sendDue())
  }

  #nextDue(): DueMail | undefined {
    const { clock, db, tasks } = this.#parts
    const now = clock.seconds()
    return this.#settings === undefined || tasks.isStopping || now < this.#quietUntil ? undefined : findDueMail(db, now)
  }

  async #send(mail: DueMail): Promise<void> {
    const { clock, db } = this.#parts
    if (mail.is_wanted === 0) return db.tx((tx) => removeMail(tx, mail.id))
    if (!db.tx((tx) => claimMail(tx, mail, clock.seconds() + delayAfter(mail.attempts + 1)))) return
    try {
      await this.#deliver?.(this.#messageOf(mail))
      this.#failures = 0
    } catch (error) {
      return this.#keep(mail, error)
    }
    db.tx((tx) => removeMail(tx, mail.id))
  }

  /** A failure of the server's own keeps all mails back: many of them do not knock at its door one by one. */
  async #keep(mail: DueMail, error: unknown): Promise<void> {
    const { clock, db, log } = this.#parts
    const { reach, reason } = judgeFailure(error, this.#settings as MailSettings)
    log.warn(reach === 'final' ? 'email rejected' : 'email delivery failed, it will be retried', {
      mail: mail.id,
      user: mail.user_id,
      attempt: mail.attempts + 1,
      reason,
    })
    const now = clock.seconds()
    if (reach === 'server') this.#quietUntil = now + delayAfter(++this.#failures)
    db.tx((tx) => {
      if (reach === 'final') removeMail(tx, mail.id)
      else noteFailure(tx, mail.id, reason.slice(0, MAX_REASON))
    })
    const givenUp = await this.#inSlices((tx) => removeMailsBefore(tx, now - LONGEST_WAIT, SLICE))
    if (givenUp > 0) log.error('emails dropped after three days of failed delivery', undefined, { mails: givenUp })
  }

  /** @param change returns how many mails it changed, of which a full slice may not be all. @returns how many that was in the end */
  async #inSlices(change: (tx: Tx) => number): Promise<number> {
    const { db } = this.#parts
    for (let all = 0; ; await db.rest()) {
      const changed = db.tx(change)
      all += changed
      if (changed < SLICE) return all
    }
  }

  #messageOf(mail: DueMail): Message {
    const { from, subjectPrefix } = this.#settings as MailSettings
    return {
      from,
      to: { name: oneLine(mail.name), address: mail.address },
      messageId: mail.message_id,
      date: new Date(mail.created_at * 1000),
      subject: oneLine(`${subjectPrefix} ${mail.subject}`),
      ...openLetter(this.#parts.secrets, mail),
    }
  }
}

/** Seconds until the next attempt, after so many. */
function delayAfter(attempts: number): number {
  return Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY)
}
