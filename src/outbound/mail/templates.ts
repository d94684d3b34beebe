import activateAccount from '../../../assets/mail/activate-account.txt' with { type: 'text' }
import alreadyRegistered from '../../../assets/mail/already-registered.txt' with { type: 'text' }
import confirmAddress from '../../../assets/mail/confirm-address.txt' with { type: 'text' }
import passwordElsewhere from '../../../assets/mail/password-elsewhere.txt' with { type: 'text' }
import resetPassword from '../../../assets/mail/reset-password.txt' with { type: 'text' }
import securityChanged from '../../../assets/mail/security-changed.txt' with { type: 'text' }
import welcome from '../../../assets/mail/welcome.txt' with { type: 'text' }

/** What mails say: a line `Subject: …`, and paragraphs, with `{{name}}` for what differs from one to the next. */
export const templates = { activateAccount, alreadyRegistered, confirmAddress, passwordElsewhere, resetPassword, securityChanged, welcome }
