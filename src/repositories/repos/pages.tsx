import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, MadeLately, type Member, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { labelTemplateNames } from '#repositories/labels/index.ts'
import { answerPage, Layout, mendable, Select, seeOther, Trouble, Visit } from '#web/index.ts'
import { repoAvatarPages } from './avatar-pages.tsx'
import { createFromBody } from './create-from-body.ts'
import { getChosenOwner, OwnerChoice, ownersFor } from './owner-choice.tsx'
import { requireRepoCreator } from './rules.ts'
import { CreateRepoOption } from './schema.ts'
import { settingsPages } from './settings-pages.tsx'
import { gitignores } from './templates/gitignores.ts'

/** Those that most people look for; others are put in as a file. */
const usualLicenses = [
  ...['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0', 'EUPL-1.2', 'LGPL-3.0-or-later', 'GPL-2.0-or-later'],
  ...['GPL-3.0-or-later', 'AGPL-3.0-or-later', '0BSD', 'Unlicense', 'CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0'],
]
const CreateForm = t.Object({
  owner: t.String({ maxLength: 255 }),
  ...t.Pick(CreateRepoOption, ['name', 'description', 'private', 'auto_init', 'gitignores', 'license', 'issue_labels']).properties,
  default_branch: t.Optional(t.String({ maxLength: 255 })),
})
/** Whose it is to be, where a page leads here for them. */
const CreateQuery = t.Object({ owner: t.Optional(t.String({ maxLength: 255 })) })
type CreateForm = Static<typeof CreateForm>

/** Where repositories are made in the browser. */
export function repoPages(context: Context) {
  return new Elysia({ name: 'repos.pages' })
    .use(settingsPages(context))
    .use(repoAvatarPages(context))
    .use(gate(context, 'page'))
    .get('/repo/create', ({ viewer, request, query }) => showForm(context, new Visit(context, viewer, request), viewer, { chosen: query.owner }), {
      signedIn: [],
      query: CreateQuery,
      detail: { hide: true },
    })
    .post('/repo/create', ({ viewer, request, body }) => create(context, new Visit(context, viewer, request), viewer, body), {
      signedIn: [],
      body: CreateForm,
      detail: { hide: true },
    })
}

/** Who was chosen, or what was typed and why it was not taken. */
interface Asked {
  chosen?: string | undefined
  typed?: CreateForm
  problem?: Problem
}

async function showForm(context: Pick<Context, 'config' | 'db'>, visit: Visit, viewer: Member, { chosen, typed, problem }: Asked): Promise<Response> {
  const { rows, areAll } = await ownersFor(context, viewer)
  const isPrivate = typed?.private ?? (typed === undefined && context.config.repository.DEFAULT_PRIVATE === 'private')
  const usualBranch = context.config.repository.DEFAULT_BRANCH
  const page = (
    <CreatePage
      visit={visit}
      owners={rows.map(({ name }) => name)}
      areAll={areAll}
      chosen={typed?.owner ?? chosen}
      typed={typed}
      isPrivate={isPrivate}
      usualBranch={usualBranch}
      error={problem?.message}
    />
  )
  return answerPage(page, problem?.status ?? 200)
}

/** Nothing that was typed is lost when it is not taken. */
async function create(context: Context, visit: Visit, viewer: Member, form: CreateForm): Promise<Response> {
  try {
    const owner = getChosenOwner(context, viewer, form.owner)
    requireRepoCreator(context.db, viewer, owner)
    const { owner: _, default_branch: branch = '', ...body } = form
    const hasFiles = form.auto_init === true || Boolean(form.gitignores || form.license)
    const asked = { ...body, private: form.private === true, auto_init: hasFiles, ...(branch.trim() === '' ? {} : { default_branch: branch.trim() }) }
    const make = () => createFromBody(context, { owner, viewer, body: asked })
    const isThere = ({ id }: RepoRow) => accessStore.findRepoById(context.db, id) !== undefined
    const repo = await context.services.get(MadeLately).once(viewer, ['repository', owner.id, asked], make, isThere)
    return seeOther(visit.to`/${owner.name}/${repo.name}`)
  } catch (error) {
    const problem = mendable(error)
    return showForm(context, visit, viewer, { typed: form, problem })
  }
}

interface Props {
  visit: Visit
  owners: readonly string[]
  areAll: boolean
  chosen: string | undefined
  typed: CreateForm | undefined
  isPrivate: boolean
  /** The default branch where none is named. */
  usualBranch: string
  error: string | undefined
}

function CreatePage({ visit, owners, areAll, chosen, typed, isPrivate, usualBranch, error }: Props) {
  return (
    <Layout visit={visit} title="New repository">
      <form class="form" method="post" action={visit.to`/repo/create`}>
        <h1>New repository</h1>
        <Trouble text={error} />
        <OwnerChoice names={owners} areAll={areAll} selected={chosen} />
        <label>
          Repository name
          <input name="name" value={typed?.name} maxlength="100" autocapitalize="none" spellcheck="false" required autofocus />
        </label>
        <label>
          Description
          <input name="description" value={typed?.description} maxlength="2048" />
        </label>
        <label class="choice">
          <input type="checkbox" name="private" value="true" checked={isPrivate} /> Private: only people you choose can see it
        </label>
        <label class="choice">
          <input type="checkbox" name="auto_init" value="true" checked={typed?.auto_init} /> Add a README
        </label>
        <Beginnings typed={typed} usualBranch={usualBranch} />
        <button class="primary" type="submit">
          Create repository
        </button>
      </form>
    </Layout>
  )
}

/** What not everybody asks for. */
function Beginnings({ typed, usualBranch }: Pick<Props, 'typed' | 'usualBranch'>) {
  const choice = (names: Iterable<string>): [string, string][] => [['', 'None'], ...[...names].map((name): [string, string] => [name, name])]
  const isOpen = Boolean(typed?.gitignores || typed?.license || typed?.issue_labels || typed?.default_branch)
  return (
    <details open={isOpen}>
      <summary>More options (.gitignore, license, labels)</summary>
      <div class="fields">
        <Select name="gitignores" label=".gitignore" options={choice(gitignores().keys())} selected={typed?.gitignores} />
        <Select name="license" label="License" options={choice(usualLicenses)} selected={typed?.license} />
        <Select name="issue_labels" label="Labels" options={choice(labelTemplateNames)} selected={typed?.issue_labels} />
        <label>
          Default branch
          <input name="default_branch" value={typed?.default_branch} placeholder={usualBranch} maxlength="255" spellcheck="false" />
        </label>
      </div>
    </details>
  )
}
