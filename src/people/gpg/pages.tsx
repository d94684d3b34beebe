import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, MadeLately, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import {
  AccountFrame,
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  checkForm,
  isPasswordAsked,
  looseForm,
  Pager,
  PasswordField,
  SubmitButton,
  TextArea,
  Trouble,
  Visit,
} from '#web/index.ts'
import { addGpgKey, deleteGpgKey, verifyGpgKey } from './change-keys.ts'
import { CreateGPGKeyOption, type GPGKey, VerifyGPGKeyOption } from './schema.ts'
import { listGpgKeys } from './store.ts'
import { verificationToken } from './token.ts'
import { presentGpgKeys } from './view.ts'

const PAGE_SIZE = 50
const Password = t.Optional(t.String({ maxLength: 1024 }))
const KeyForm = t.Object({ ...looseForm(CreateGPGKeyOption).properties, password: Password })
type KeyForm = Static<typeof KeyForm>
const ProofForm = looseForm(VerifyGPGKeyOption)
const KeyParams = t.Object({ id: IdText('ID of the key') })

interface Asked {
  viewer: Member
  request: Request
}

/** What was refused, with what was typed: a new key, or the proof of one that is there. */
interface Refused {
  problem: Problem
  key?: KeyForm
  proof?: Static<typeof ProofForm>
}

/** One's own OpenPGP keys, by which commits are verified. */
export function gpgPages(context: Context) {
  return new Elysia({ name: 'gpg.pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/gpg', (asked) => show(context, asked, asked.query), { signedIn: [], query: PageQuery, detail: { hide: true } })
    .post('/user/settings/gpg', (asked) => add(context, asked, asked.body), { signedIn: [], body: KeyForm, detail: { hide: true } })
    .post('/user/settings/gpg/verify', (asked) => verify(context, asked, asked.body), { signedIn: [], body: ProofForm, detail: { hide: true } })
    .post(
      '/user/settings/gpg/:id/delete',
      ({ viewer, request, params }) => {
        deleteGpgKey(context, viewer.user, rowIdIn(params.id))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/gpg`, 'GPG key deleted')
      },
      { signedIn: [], params: KeyParams, detail: { hide: true } },
    )
}

/** Commits that the key signs count as this person's: after a while the password is asked for again. */
function add(context: Context, asked: Asked, key: KeyForm): Promise<Response> {
  const { viewer, request } = asked
  const work = async () => {
    await context.authenticator.requireRecent(viewer, key.password, request)
    const { armored_public_key: armored, armored_signature: signature = '' } = checkForm(CreateGPGKeyOption, key)
    const asked = { armored: armored.trim(), signature: signature.trim() }
    await context.services.get(MadeLately).once(viewer, ['gpg key', asked], () => addGpgKey(context, viewer.user, asked))
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/gpg`, 'GPG key added')
  }
  return attempt(work, (problem) => show(context, asked, {}, { problem, key }))
}

function verify(context: Context, asked: Asked, proof: Static<typeof ProofForm>): Promise<Response> {
  const { viewer, request } = asked
  const work = async () => {
    const { key_id: keyId, armored_signature: signature } = checkForm(VerifyGPGKeyOption, proof)
    await verifyGpgKey(context, viewer.user, keyId, signature.trim())
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/gpg`, 'GPG key verified')
  }
  return attempt(work, (problem) => show(context, asked, {}, { problem, proof }))
}

async function show(context: Context, { viewer, request }: Asked, query: { page?: string }, refused?: Refused): Promise<Response> {
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listGpgKeys(context.db, viewer, viewer.user.id, page)
  const list = { keys: presentGpgKeys(context, viewer, viewer.user, rows), page, total }
  const token = verificationToken(viewer.user, context.clock.seconds())
  const visit = new Visit(context, viewer, request)
  const shown = <GpgPage visit={visit} {...list} token={token} isAsked={isPasswordAsked(context, viewer)} refused={refused} />
  return answerPage(shown, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  keys: readonly GPGKey[]
  page: Page
  total: number
  /** What is signed to show that a key is one's own. */
  token: string
  isAsked: boolean
  refused: Refused | undefined
}

function GpgPage({ visit, keys, page, total, token, isAsked, refused }: Props) {
  const address = visit.to`/user/settings/gpg`
  return (
    <AccountFrame visit={visit} subject="gpg" title="GPG keys">
      <p>Commits signed with these keys are shown as verified.</p>
      {keys.length > 0 && (
        <ul class="list">
          {keys.map((key) => (
            <li>
              <div class="bar">
                <div>
                  <code>{key.key_id}</code>
                  <span class="mark">{key.verified ? 'Verified' : 'Unverified: applies only to its email addresses'}</span>
                  <p class="faint">
                    {[...(key.emails ?? []).map(({ email }) => email), ...((key.subkeys ?? []) as GPGKey[]).map((subkey) => `subkey ${subkey.key_id}`)].join(
                      ', ',
                    )}
                  </p>
                </div>
                <ActionButton action={`${address}/${key.id}/delete`} to={key.key_id} isDanger>
                  Delete
                </ActionButton>
              </div>
              {!key.verified && <Proof address={address} keyId={key.key_id} token={token} refused={refused} />}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="fields" method="post" action={address}>
        <h2>Add GPG key</h2>
        <Trouble text={refused?.key && refused.problem.message} />
        <TextArea
          name="armored_public_key"
          label="Public key (output of gpg --armor --export)"
          value={refused?.key?.armored_public_key}
          rows={6}
          most={65_536}
          isRequired
          isExact
        />
        <p>If the key contains none of your confirmed email addresses, sign this token within two minutes to prove that you own the key:</p>
        <pre tabindex="0">{`echo "${token}" | gpg --armor --detach-sign`}</pre>
        <TextArea name="armored_signature" label="Signature of the token (optional)" value={refused?.key?.armored_signature} rows={4} most={16_384} isExact />
        <PasswordField isAsked={isAsked} />
        <SubmitButton>Add GPG key</SubmitButton>
      </form>
    </AccountFrame>
  )
}

/** By a signature a key counts for all that it signs. */
function Proof({ address, keyId, token, refused }: { address: string; keyId: string; token: string; refused: Refused | undefined }) {
  const proof = refused?.proof?.key_id === keyId ? refused.proof : undefined
  return (
    <details open={proof !== undefined}>
      <summary>Verify key</summary>
      <form class="fields" method="post" action={`${address}/verify`}>
        <Trouble text={proof && refused?.problem.message} />
        <input type="hidden" name="key_id" value={keyId} />
        <pre tabindex="0">{`echo "${token}" | gpg --armor --local-user ${keyId} --detach-sign`}</pre>
        <TextArea
          name="armored_signature"
          label="Output of this command (within two minutes)"
          value={proof?.armored_signature}
          rows={4}
          most={16_384}
          isRequired
          isExact
        />
        <SubmitButton>Verify key</SubmitButton>
      </form>
    </details>
  )
}
