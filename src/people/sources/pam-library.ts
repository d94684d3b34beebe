import { CString, dlopen, FFIType, JSCallback, type Pointer, ptr, read, toArrayBuffer } from 'bun:ffi'
import type { PamAnswer, PamJob } from './pam-job.ts'

/** Numbers of Linux-PAM. Source: its `security/_pam_types.h`. */
const SUCCESS = 0
const BUFFER_ERROR = 5
/** Permission denied, wrong, too few rights, unknown user, too many tries, password or account expired. */
const refusals: readonly number[] = [6, 7, 8, 10, 11, 12, 13]
const SILENT = 0x8000
const NO_EMPTY_PASSWORDS = 0x1
const ITEM_USER = 2
const ITEM_FAIL_DELAY = 10
const PROMPT_ECHO_OFF = 1
const PROMPT_ECHO_ON = 2
/** `PAM_MAX_NUM_MSG`. */
const MAX_PROMPTS = 32
/** `struct pam_response { char *resp; int resp_retcode; }`. */
const RESPONSE_BYTES = 16

function open() {
  const { cstring, i32, pointer, u64 } = FFIType
  const pam = dlopen('libpam.so.0', {
    pam_start: { args: [cstring, cstring, pointer, pointer], returns: i32 },
    pam_start_confdir: { args: [cstring, cstring, pointer, cstring, pointer], returns: i32 },
    pam_set_item: { args: [pointer, i32, pointer], returns: i32 },
    pam_get_item: { args: [pointer, i32, pointer], returns: i32 },
    pam_authenticate: { args: [pointer, i32], returns: i32 },
    pam_acct_mgmt: { args: [pointer, i32], returns: i32 },
    pam_strerror: { args: [pointer, i32], returns: cstring },
    pam_end: { args: [pointer, i32], returns: i32 },
  })
  const c = dlopen('libc.so.6', { calloc: { args: [u64, u64], returns: pointer }, strdup: { args: [pointer], returns: pointer } })
  return { ...pam.symbols, ...c.symbols }
}

let library: ReturnType<typeof open> | undefined

/** Blocks its thread until PAM has an answer. @throws Error when there is no libpam */
export function askPam(job: PamJob): PamAnswer {
  library ??= open()
  using conversation = converse(library, job)
  const out = new BigUint64Array(1)
  const [service, user] = [text(job.service), text(job.user)]
  const begun =
    job.directory === undefined
      ? library.pam_start(service, user, conversation.address, ptr(out))
      : library.pam_start_confdir(service, user, conversation.address, text(job.directory), ptr(out))
  if (begun !== SUCCESS) return { trouble: `cannot start PAM (error ${begun}). Check that the service file "${job.service}" exists` }
  const handle = Number(out[0]) as Pointer
  // Attempts are throttled before they come here; a thread that sleeps after a wrong one would be missing to others.
  library.pam_set_item(handle, ITEM_FAIL_DELAY, conversation.noDelay)
  const status = check(library, handle)
  const answer = answerOf(library, handle, status, out)
  library.pam_end(handle, status)
  return answer
}

/** A locked or expired account has the right password, too: that it may sign in is a question of its own. */
function check({ pam_authenticate, pam_acct_mgmt }: NonNullable<typeof library>, handle: Pointer): number {
  const flags = SILENT | NO_EMPTY_PASSWORDS
  const status = pam_authenticate(handle, flags)
  return status === SUCCESS ? pam_acct_mgmt(handle, flags) : status
}

function answerOf(pam: NonNullable<typeof library>, handle: Pointer, status: number, out: BigUint64Array): PamAnswer {
  if (refusals.includes(status)) return {}
  if (status !== SUCCESS) return { trouble: String(pam.pam_strerror(handle, status)) }
  if (pam.pam_get_item(handle, ITEM_USER, ptr(out)) !== SUCCESS || out[0] === 0n) return { trouble: 'PAM did not return the username' }
  return { name: new CString(Number(out[0]) as Pointer).toString() }
}

/** What answers PAM's questions: the password where nothing may be shown, the name where it may. */
function converse({ calloc, strdup }: NonNullable<typeof library>, { user, password }: PamJob) {
  const [secret, name] = [text(password), text(user)]
  const callback = new JSCallback(
    (count: number, messages: Pointer, answers: Pointer) => {
      if (count < 1 || count > MAX_PROMPTS) return BUFFER_ERROR
      const responses = Number(calloc(count, RESPONSE_BYTES) ?? 0) as Pointer
      if (responses === 0) return BUFFER_ERROR
      for (let i = 0; i < count; i++) {
        const style = read.i32(read.ptr(messages, i * 8) as Pointer, 0)
        const answer = style === PROMPT_ECHO_OFF ? secret : style === PROMPT_ECHO_ON ? name : undefined
        if (answer) view(responses, count)[i * 2] = BigInt(Number(strdup(ptr(answer)) ?? 0))
      }
      view(answers, 1)[0] = BigInt(responses)
      return SUCCESS
    },
    { args: [FFIType.i32, FFIType.ptr, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  )
  const noDelay = new JSCallback(() => {}, { args: [FFIType.i32, FFIType.u32, FFIType.ptr], returns: FFIType.void })
  const address = new BigUint64Array([BigInt(callback.ptr ?? 0), 0n])
  return {
    address: ptr(address),
    noDelay: noDelay.ptr,
    /** Held for as long as PAM may read it. */
    held: [address, secret, name],
    [Symbol.dispose]() {
      secret.fill(0)
      callback.close()
      noDelay.close()
    },
  }
}

/** PAM's memory as numbers of eight bytes. */
function view(at: Pointer, structures: number): BigUint64Array {
  return new BigUint64Array(toArrayBuffer(at, 0, structures * RESPONSE_BYTES))
}

/** As C has texts. */
function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}
