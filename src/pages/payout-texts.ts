import type { RecipientState } from '../payouts/lifecycle.ts'
import { say, type Texts } from './languages.ts'

/** The texts of the pages on which a recipient is paid, one line for each language. `{name}` is a placeholder. */

/** The texts that the browser's scripts use instead of, and besides, those for a payment. */
export const onPayoutForm = {
  payWith: say('Where should the money go?', 'Wohin soll das Geld gehen?', "Où l'argent doit-il être versé ?"),
  moreWays: say('More payout methods', 'Weitere Möglichkeiten', 'Autres possibilités'),
  toThere: say('The account already on file', 'Das Konto, das schon bekannt ist', 'Le compte déjà connu'),
  wrong: say(
    'This is not right. Please check it.',
    'Das stimmt so nicht. Bitte prüfen Sie es.',
    "Ce n'est pas correct. Veuillez vérifier.",
  ),
  sending: say('Your details are being sent', 'Ihre Angaben werden gesendet', 'Vos informations sont en cours d’envoi'),
  checking: say(
    'The connection was interrupted. We are checking whether your details have arrived.',
    'Die Verbindung wurde unterbrochen. Wir sehen nach, ob Ihre Angaben angekommen sind.',
    'La connexion a été interrompue. Nous vérifions si vos informations sont arrivées.',
  ),
  notTaken: say(
    'The money cannot be sent there. Check what you have entered, or choose another method.',
    'Dorthin kann das Geld nicht gesendet werden. Prüfen Sie Ihre Angaben, oder wählen Sie eine andere Möglichkeit.',
    "L'argent ne peut pas y être versé. Vérifiez votre saisie ou choisissez une autre possibilité.",
  ),
  notNow: say(
    'The service cannot be reached right now. Please try again in a moment.',
    'Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    'Le service est momentanément indisponible. Veuillez réessayer dans un instant.',
  ),
  ach: say('Bank account (US)', 'Bankkonto (USA)', 'Compte bancaire (États-Unis)'),
  bacs: say('Bank account (UK)', 'Bankkonto (Vereinigtes Königreich)', 'Compte bancaire (Royaume-Uni)'),
  sepa_bank_transfer: say('Bank account (IBAN)', 'Bankkonto (IBAN)', 'Compte bancaire (IBAN)'),
  pix_key: say('Pix', 'Pix', 'Pix'),
  pix: say('Bank account (Brazil)', 'Bankkonto (Brasilien)', 'Compte bancaire (Brésil)'),
  pix_emv: say('Pix code', 'Pix-Code', 'Code Pix'),
  trustly: say('Trustly', 'Trustly', 'Trustly'),
  open_banking: say('Open banking', 'Open Banking', 'Open banking'),
  open_banking_uk: say('Open banking (UK)', 'Open Banking (Vereinigtes Königreich)', 'Open banking (Royaume-Uni)'),
  paypal: say('PayPal', 'PayPal', 'PayPal'),
  venmo: say('Venmo', 'Venmo', 'Venmo'),
  interac: say('Interac e-Transfer', 'Interac e-Transfer', 'Virement Interac'),
  bank_account_number: say('Account number', 'Kontonummer', 'Numéro de compte'),
  account_number: say('Account number', 'Kontonummer', 'Numéro de compte'),
  bank_routing_number: say('Routing number', 'Routing-Nummer', 'Numéro de routage'),
  bank_sort_code: say('Sort code', 'Sort Code', 'Code guichet (sort code)'),
  bank_number: say('Bank number', 'Banknummer', 'Numéro de banque'),
  bank_branch: say('Branch', 'Filiale', 'Agence'),
  country_code: say('Country (two letters)', 'Land (zwei Buchstaben)', 'Pays (deux lettres)'),
  account_holder_name: say('Account holder', 'Kontoinhaber', 'Titulaire du compte'),
  emv: say('Pix code', 'Pix-Code', 'Code Pix'),
  telephone_number: say('Telephone', 'Telefon', 'Téléphone'),
} satisfies Record<string, Texts>

/** The texts that only the page itself uses. */
export const onPayoutPage = {
  paidBy: say('{merchant} pays you', '{merchant} zahlt Ihnen Geld aus', '{merchant} vous verse de l’argent'),
  yourPayout: say('Your payout', 'Ihre Auszahlung', 'Votre versement'),
  amount: say('Amount', 'Betrag', 'Montant'),
  sender: say('Sender', 'Absender', 'Expéditeur'),
  paidTo: say('Paid to', 'Auszahlung an', 'Versé sur'),
  purpose: say('What for', 'Wofür', 'Motif'),
  receive: say('Receive {amount}', '{amount} erhalten', 'Recevoir {amount}'),
  noWay: say(
    'No payout method is available at the moment. Please contact the sender.',
    'Hier kann im Augenblick nichts ausgezahlt werden. Bitte wenden Sie sich an den Absender.',
    "Aucun versement n'est possible pour le moment. Veuillez contacter l'expéditeur.",
  ),
  payoutScripts: say(
    'This page requires JavaScript to accept your details.',
    'Diese Seite braucht JavaScript, um Ihre Angaben anzunehmen.',
    'Cette page a besoin de JavaScript pour recevoir vos informations.',
  ),
} satisfies Record<string, Texts>

/** The further texts of a payout's frame in a shop's page. */
export const inPayoutFrame = {
  payoutFrameTitle: say('Secure payout form', 'Sicheres Auszahlungsformular', 'Formulaire de versement sécurisé'),
  payoutOver: say(
    'The time for this payout has expired',
    'Die Zeit für diese Auszahlung ist vorbei',
    'Le délai pour ce versement est dépassé',
  ),
  payoutOverSays: say(
    'Ask the sender for a new one. If you have just sent your details, the sender has them.',
    'Bitten Sie den Absender um eine neue. Wenn Sie gerade Ihre Angaben gesendet haben, hat der Absender sie.',
    "Demandez-en un nouveau à l'expéditeur. Si vous venez d'envoyer vos informations, l'expéditeur les a reçues.",
  ),
} satisfies Record<string, Texts>

/** The states of a payout, as shown to its recipient. No text promises more about the money than the status does. */
export const payoutOutcomes: Record<RecipientState, { heading: Texts; message: Texts }> = {
  'not begun': {
    heading: say('Not confirmed yet', 'Noch nicht bestätigt', 'Pas encore confirmé'),
    message: say(
      'The sender still has to prepare this payout.',
      'Der Absender muss diese Auszahlung noch vorbereiten.',
      "L'expéditeur doit encore préparer ce versement.",
    ),
  },
  confirmed: {
    heading: say('Details received', 'Angaben erhalten', 'Informations reçues'),
    message: say(
      'The sender reviews the payout before the money is sent.',
      'Der Absender prüft die Auszahlung noch einmal, dann wird das Geld gesendet.',
      "L'expéditeur vérifie le versement, puis l'argent est envoyé.",
    ),
  },
  'on its way': {
    heading: say('Payout in progress', 'Auszahlung läuft', 'Versement en cours'),
    message: say(
      'Your details have arrived, and the payout is in progress. You do not need to do anything else.',
      'Ihre Angaben sind angekommen, und die Auszahlung läuft. Sie brauchen nichts weiter zu tun.',
      'Vos informations sont arrivées et le versement est en cours. Vous n’avez plus rien à faire.',
    ),
  },
  paid: {
    heading: say('The money was sent', 'Das Geld ist gesendet', "L'argent est envoyé"),
    message: say(
      'When it arrives depends on your bank or wallet.',
      'Wann es ankommt, hängt von Ihrer Bank oder Ihrem Wallet ab.',
      'Le délai d’arrivée dépend de votre banque ou de votre portefeuille.',
    ),
  },
  failed: {
    heading: say('Payout not completed', 'Auszahlung nicht abgeschlossen', 'Versement non abouti'),
    message: say(
      'The money could not be sent. The sender can tell you what to do next.',
      'Das Geld konnte nicht gesendet werden. Der Absender kann Ihnen sagen, wie es weitergeht.',
      "L'argent n'a pas pu être envoyé. L'expéditeur peut vous indiquer la marche à suivre.",
    ),
  },
  returned: {
    heading: say('The money was returned', 'Das Geld kam zurück', "L'argent est revenu"),
    message: say(
      'It was sent, and your bank or wallet returned it. Ask the sender to pay you another way.',
      'Es wurde gesendet, und Ihre Bank oder Wallet hat es zurückgegeben. Bitten Sie den Absender, Ihnen auf anderem Weg auszuzahlen.',
      "Il a été envoyé, et votre banque ou portefeuille l'a retourné. Demandez à l'expéditeur un autre moyen de versement.",
    ),
  },
  cancelled: {
    heading: say('Payout cancelled', 'Auszahlung abgebrochen', 'Versement annulé'),
    message: say(
      'The sender has cancelled this payout.',
      'Der Absender hat diese Auszahlung abgebrochen.',
      "L'expéditeur a annulé ce versement.",
    ),
  },
  expired: {
    heading: say('This link has expired', 'Dieser Link ist abgelaufen', 'Ce lien a expiré'),
    message: say(
      'This payout has expired. Ask the sender for a new link.',
      'Die Zeit für diese Auszahlung ist vorbei. Bitten Sie den Absender um einen neuen Link.',
      "Le délai pour ce versement est dépassé. Demandez un nouveau lien à l'expéditeur.",
    ),
  },
}
