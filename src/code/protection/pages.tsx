import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { answerDone, answerPage, attempt, Visit } from '#web/index.ts'
import { addRule, askEarlier, deleteRule, editRule, getRule } from './change-rules.ts'
import { sortRules } from './find-rule.ts'
import { emptyRule, formOfRule, optionsIn, RuleForm } from './rule-form.ts'
import { RulePage, RulesPage, rulesAddress } from './rule-templates.tsx'
import { listRules } from './store.ts'
import { presentRule } from './view.ts'

const RuleName = t.Object({ rule_name: t.String({ maxLength: 255 }) })
/** Elysia changes what it is given: each route has its own. */
const terms = () => ({ repo: 'admin', params: RepoParams, detail: { hide: true } }) as const

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** What may happen to which branches, for who administers the repository. */
export function protectionPages(context: Context) {
  return new Elysia({ name: 'protection.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/branches', (asked) => showRules(context, asked), terms())
    .get('/:owner/:repo/settings/branches/new', (asked) => showRule(context, asked, { ...emptyRule }, true), terms())
    .get(
      '/:owner/:repo/settings/branches/edit',
      (asked) => showRule(context, asked, formOfRule(presentRule(context.db, getRule(context.db, asked.repo, asked.query.rule_name))), false),
      { ...terms(), query: RuleName },
    )
    .post('/:owner/:repo/settings/branches', (asked) => save(context, asked, asked.body, true), { ...terms(), body: RuleForm })
    .post('/:owner/:repo/settings/branches/edit', (asked) => save(context, asked, asked.body, false), { ...terms(), body: RuleForm })
    .post(
      '/:owner/:repo/settings/branches/delete',
      (asked) => change(context, asked, `Rule for “${asked.body.rule_name}” deleted`, () => deleteRule(context, asked.repo, asked.body.rule_name)),
      {
        ...terms(),
        body: RuleName,
      },
    )
    .post(
      '/:owner/:repo/settings/branches/earlier',
      (asked) => change(context, asked, `Rule for “${asked.body.rule_name}” moved up`, () => askEarlier(context, asked.repo, asked.body.rule_name)),
      {
        ...terms(),
        body: RuleName,
      },
    )
}

function placeOf(context: Context, { viewer, repo, request }: Asked) {
  return { visit: new Visit(context, viewer, request), repo }
}

function showRules(context: Context, asked: Asked, problem?: Problem): Response {
  const rules = sortRules(listRules(context.db, asked.repo.row.id))
  return answerPage(<RulesPage {...placeOf(context, asked)} rules={rules} error={problem?.message} />, problem?.status ?? 200)
}

function showRule(context: Context, asked: Asked, form: RuleForm, isNew: boolean, problem?: Problem): Response {
  return answerPage(<RulePage {...placeOf(context, asked)} form={form} isNew={isNew} error={problem?.message} />, problem?.status ?? 200)
}

function save(context: Context, asked: Asked, form: RuleForm, isNew: boolean): Promise<Response> {
  const work = () => {
    const options = optionsIn(form)
    if (isNew) addRule(context, asked.viewer, asked.repo, options)
    else editRule(context, asked.viewer, asked.repo, form.rule_name, options)
    const place = placeOf(context, asked)
    return answerDone(place.visit, rulesAddress(place), `Rule for “${form.rule_name}” saved`)
  }
  return attempt(work, (problem) => showRule(context, asked, form, isNew, problem))
}

function change(context: Context, asked: Asked, text: string, work: () => void): Promise<Response> {
  const done = () => {
    work()
    const place = placeOf(context, asked)
    return answerDone(place.visit, rulesAddress(place), text)
  }
  return attempt(done, (problem) => showRules(context, asked, problem))
}
