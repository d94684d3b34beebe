import { type Child, Layout, SubmitButton, TextField, Trouble, type Visit } from '#web/index.ts'

interface FormProps {
  visit: Visit
  title: string
  /** Below the root. */
  action: string
  button: string
  error?: string | undefined
  children: Child
}

/** A page that is one form. */
function FormPage({ visit, title, action, button, error, children }: FormProps) {
  return (
    <Layout visit={visit} title={title}>
      <form class="form" method="post" action={action}>
        <h1>{title}</h1>
        <Trouble text={error} />
        {children}
        <SubmitButton>{button}</SubmitButton>
      </form>
    </Layout>
  )
}

/** A page that says what happens next, or why nothing does. */
export function NoticePage({ visit, title, text }: { visit: Visit; title: string; text: string }) {
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={visit.to`/user/login`}>Sign in</a>
      </p>
    </Layout>
  )
}

interface SignUpProps {
  visit: Visit
  typed?: { user_name: string; email: string }
  leastPassword: number
  error?: string
}

export function SignUpPage({ visit, typed, leastPassword, error }: SignUpProps) {
  return (
    <FormPage visit={visit} title="Create an account" action={visit.to`/user/sign_up`} button="Create account" error={error}>
      <TextField name="user_name" label="Username" value={typed?.user_name} most={40} autocomplete="username" isRequired isExact />
      <TextField name="email" label="Email address" type="email" value={typed?.email} most={254} autocomplete="email" isRequired isExact />
      <NewPasswordField least={leastPassword} />
    </FormPage>
  )
}

function NewPasswordField({ least }: { least: number }) {
  return (
    <label>
      {`Password (at least ${least} characters)`}
      <input name="password" type="password" minlength={least} autocomplete="new-password" required />
    </label>
  )
}

function PasswordField({ label }: { label: string }) {
  return <TextField name="password" label={label} type="password" autocomplete="current-password" isRequired />
}

/** Where the link of a mail leads: programs that look into mail follow links, so only the form activates. */
export function ActivatePage({ visit, code, name, error }: { visit: Visit; code: string; name: string; error?: string }) {
  return (
    <FormPage visit={visit} title="Activate your account" action={visit.to`/user/activate`} button="Activate account" error={error}>
      <input type="hidden" name="code" value={code} />
      <p>
        Enter the password of the account <strong>{name}</strong>.
      </p>
      <PasswordField label="Password" />
    </FormPage>
  )
}

interface MailAgainProps {
  visit: Visit
  typed?: { user_name: string; email: string }
  error?: string
}

export function MailAgainPage({ visit, typed, error }: MailAgainProps) {
  return (
    <FormPage visit={visit} title="Activate your account" action={visit.to`/user/activate`} button="Resend activation email" error={error}>
      <p>If you did not receive the activation email, request a new one. You can also correct the email address.</p>
      <TextField name="user_name" label="Username" value={typed?.user_name} most={40} autocomplete="username" isRequired isExact />
      <PasswordField label="Password" />
      <TextField name="email" label="New email address (optional)" type="email" value={typed?.email} most={254} isExact />
    </FormPage>
  )
}

export function ForgotPage({ visit, email, error }: { visit: Visit; email?: string; error?: string }) {
  return (
    <FormPage visit={visit} title="Forgot password" action={visit.to`/user/forgot_password`} button="Send password reset email" error={error}>
      <TextField name="email" label="Email address" type="email" value={email} most={254} autocomplete="email" isRequired isExact />
    </FormPage>
  )
}

interface RecoverProps {
  visit: Visit
  code: string
  name: string
  asksCode: boolean
  leastPassword: number
  error?: string
}

export function RecoverPage({ visit, code, name, asksCode, leastPassword, error }: RecoverProps) {
  return (
    <FormPage visit={visit} title="Reset password" action={visit.to`/user/recover_account`} button="Reset password" error={error}>
      <input type="hidden" name="code" value={code} />
      <p>
        Choose a new password for <strong>{name}</strong>. This ends all sessions of the account.
      </p>
      <NewPasswordField least={leastPassword} />
      {asksCode && <TextField name="passcode" label="Code from your authenticator app, or a recovery code" autocomplete="one-time-code" isRequired isExact />}
    </FormPage>
  )
}
