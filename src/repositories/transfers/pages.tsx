import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Problem, Unprocessable } from '#kernel/errors.ts'
import { presentTransfer } from '#repositories/repos/index.ts'
import {
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  ConfirmingField,
  isPasswordAsked,
  PasswordField,
  RepoSettingsFrame,
  SubmitButton,
  TextField,
  Trouble,
  Visit,
} from '#web/index.ts'
import { acceptTransfer, cancelTransfer, rejectTransfer, transferRepo } from './transfer-repo.ts'

const TransferForm = t.Object({
  new_owner: t.String({ maxLength: 255 }),
  name: t.String({ maxLength: 512 }),
  password: t.Optional(t.String({ maxLength: 1024 })),
})
type TransferForm = Static<typeof TransferForm>

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** Where repositories are given away, and taken by whom they are offered to; the repository's home asks them. */
export function transferPages(context: Context) {
  return new Elysia({ name: 'transfers.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/transfer', (asked) => show(context, asked), { repo: 'owner', params: RepoParams, detail: { hide: true } })
    .post('/:owner/:repo/settings/transfer', (asked) => transfer(context, asked, asked.body), {
      repo: 'owner',
      params: RepoParams,
      body: TransferForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/transfer/cancel', (asked) => cancel(context, asked), { repo: 'owner', params: RepoParams, detail: { hide: true } })
    .post(
      '/:owner/:repo/action/accept_transfer',
      ({ viewer, repo, request }) => {
        const taken = acceptTransfer(context, requireUser(viewer), repo)
        const owner = accessStore.findUserById(context.db, taken.owner_id)
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/${owner?.name ?? ''}/${taken.name}`, 'Transfer accepted')
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/action/reject_transfer',
      ({ viewer, repo, request }) => {
        rejectTransfer(context, requireUser(viewer), repo)
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/`, 'Transfer rejected')
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
}

/** It may not come back: its name is typed, and after a while the password. */
function transfer(context: Context, asked: Asked, form: TransferForm): Promise<Response> {
  const { repo, request } = asked
  const viewer = requireUser(asked.viewer)
  const whole = `${repo.owner.name}/${repo.row.name}`
  const work = async () => {
    if (form.name !== whole) throw new Unprocessable(`The name does not match. Type ${whole} to transfer the repository.`)
    await context.authenticator.requireRecent(viewer, form.password, request)
    const done = transferRepo(context, viewer, repo, { new_owner: form.new_owner.trim() })
    const visit = new Visit(context, viewer, request)
    return answerDone(
      visit,
      done.isPending ? visit.to`/${repo.owner.name}/${repo.row.name}/settings/transfer` : visit.to`/${form.new_owner.trim()}/${done.repo.name}`,
      done.isPending ? `Transfer started. ${form.new_owner.trim()} must accept it.` : 'Repository transferred',
    )
  }
  return attempt(work, (problem) => show(context, asked, { form, problem }))
}

function cancel(context: Context, asked: Asked): Promise<Response> {
  const { viewer, repo, request } = asked
  const work = () => {
    cancelTransfer(context, requireUser(viewer), repo)
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/settings/transfer`, 'Transfer canceled')
  }
  return attempt(work, (problem) => show(context, asked, { problem }))
}

interface Refused {
  form?: TransferForm
  problem: Problem
}

function show(context: Context, { viewer, repo, request }: Asked, refused?: Refused): Response {
  const recipient = presentTransfer(context, viewer, repo)?.recipient.login
  const isAsked = isPasswordAsked(context, requireUser(viewer))
  return answerPage(
    <TransferPage visit={new Visit(context, viewer, request)} repo={repo} recipient={recipient} isAsked={isAsked} refused={refused} />,
    refused?.problem.status ?? 200,
  )
}

interface Props {
  visit: Visit
  repo: RepoAccess
  /** Whom it is offered to. */
  recipient: string | undefined
  isAsked: boolean
  refused: Refused | undefined
}

function TransferPage({ visit, repo, recipient, isAsked, refused }: Props) {
  const whole = `${repo.owner.name}/${repo.row.name}`
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/settings/transfer`
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="transfer">
      {recipient !== undefined ? (
        <>
          <Trouble text={refused?.problem.message} />
          <p>
            A transfer to <a href={visit.to`/${recipient}`}>{recipient}</a> is pending. The new owner has not accepted it yet.
          </p>
          <ActionButton action={`${address}/cancel`}>Cancel transfer</ActionButton>
        </>
      ) : (
        <form class="fields" method="post" action={address}>
          <Trouble text={refused?.problem.message} />
          <p>The new owner must accept the transfer, unless you can create repositories there yourself. The old URL redirects to the new one.</p>
          <TextField name="new_owner" label="New owner (user or organization)" value={refused?.form?.new_owner} most={255} isRequired isExact />
          <ConfirmingField name="name" whole={whole} value={refused?.form?.name} />
          <PasswordField isAsked={isAsked} />
          <SubmitButton isDanger>Transfer repository</SubmitButton>
        </form>
      )}
    </RepoSettingsFrame>
  )
}
