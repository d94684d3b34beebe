import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { accountPages } from './account-pages.tsx'
import { confirmEmail, getProof } from './prove-email.ts'

const Code = t.Object({ code: t.String({ maxLength: 100 }) })
const PATH = '/user/activate_email'
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The address of the page is the proof. To this server it may go: without, browsers do not say that the form is from here.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Accounts for the people whose they are, in the browser. */
export function userPages(context: Context) {
  return new Elysia({ name: 'users.pages' }).use(accountPages(context)).use(emailPages(context))
}

/** Where the link in a mail leads. Programs that look into mail follow links: only the form's POST confirms. */
function emailPages(context: Context) {
  return new Elysia({ name: 'users.email-pages' })
    .use(gate(context, 'page'))
    .get(
      PATH,
      ({ query: { code } }) => {
        const { email } = getProof(context, code)
        const hidden = `<input type="hidden" name="code" value="${Bun.escapeHTML(code)}">`
        // Without an action it goes to this page's own address, under whatever path the server stands.
        return page(`<p>Confirm that ${Bun.escapeHTML(email)} is yours?</p><form method="post">${hidden}<button>Confirm</button></form>`)
      },
      { signingIn: true, query: Code, detail: { hide: true } },
    )
    .post(PATH, ({ body: { code } }) => page(`<p>${Bun.escapeHTML(confirmEmail(context, code).email)} is confirmed.</p>`), {
      signingIn: true,
      body: Code,
      detail: { hide: true },
    })
}

function page(content: string): Response {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Confirm your e-mail address</title>'
  return new Response(`<!DOCTYPE html>\n<html lang="en"><head>${head}</head><body><main>${content}</main></body></html>\n`, { headers })
}
