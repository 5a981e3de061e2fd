import type { CustomerState } from '../payments/lifecycle.ts'
import { collectOutcomes, onCollectForm, onCollectPage } from './collect-texts.ts'
import { inLanguage, type Language, say, type Texts } from './languages.ts'
import { onMethodsForm, onMethodsFrame } from './methods-texts.ts'
import { inPayoutFrame, onPayoutForm, onPayoutPage, payoutOutcomes } from './payout-texts.ts'

/** The texts of the pages, one line for each language. `{name}` is a placeholder. */

/** The texts that the browser's scripts use as well. */
const onForm = {
  pay: say('Pay {amount}', '{amount} bezahlen', 'Payer {amount}'),
  saveCard: say('Save card', 'Karte speichern', 'Enregistrer la carte'),
  payWith: say('Pay with', 'Bezahlen mit', 'Payer avec'),
  payBy: say('Pay with {wallet}', 'Mit {wallet} bezahlen', 'Payer avec {wallet}'),
  inSheet: say('Confirm the payment in {wallet}.', 'Bestätigen Sie die Zahlung in {wallet}.', 'Confirmez le paiement dans {wallet}.'),
  or: say('Or pay another way', 'Oder anders bezahlen', 'Ou payer autrement'),
  moreWays: say('More payment methods', 'Weitere Zahlungsarten', 'Autres moyens de paiement'),
  kindWallet: say('Wallets', 'Wallets', 'Portefeuilles'),
  kindBank: say('Online banking', 'Online-Banking', 'Banque en ligne'),
  kindDebit: say('Direct debit', 'Lastschrift', 'Prélèvement'),
  kindTransfer: say('Bank transfer', 'Überweisung', 'Virement bancaire'),
  kindLater: say('Pay later', 'Später bezahlen', 'Payer plus tard'),
  kindCash: say('Cash and vouchers', 'Bargeld und Gutscheine', 'Espèces et bons'),
  kindOther: say('Other', 'Andere', 'Autres'),
  card: say('Card', 'Karte', 'Carte'),
  anotherCard: say('Another card', 'Andere Karte', 'Une autre carte'),
  endingIn: say('{network} ending in {digits}', '{network} mit Endziffern {digits}', '{network} se terminant par {digits}'),
  expires: say('Expires {date}', 'Gültig bis {date}', 'Expire le {date}'),
  number: say('Card number', 'Kartennummer', 'Numéro de carte'),
  expiry: say('Expiry date', 'Ablaufdatum', "Date d'expiration"),
  expiryForm: say('MM / YY', 'MM / JJ', 'MM / AA'),
  code: say('Security code', 'Prüfnummer', 'Code de sécurité'),
  codeBehind: say('3 digits on the back of the card', '3 Ziffern auf der Rückseite der Karte', '3 chiffres au dos de la carte'),
  codeInFront: say('4 digits on the front of the card', '4 Ziffern auf der Vorderseite der Karte', '4 chiffres au recto de la carte'),
  network: say('Network', 'Netzwerk', 'Réseau'),
  name: say('Name on card', 'Name auf der Karte', 'Nom sur la carte'),
  optional: say('optional', 'freiwillig', 'facultatif'),
  save: say('Save this card for next time', 'Diese Karte für das nächste Mal speichern', 'Enregistrer cette carte pour la prochaine fois'),
  nickname: say('Name for this card', 'Bezeichnung dieser Karte', 'Nom donné à cette carte'),
  terms: say(
    'By continuing, you allow {merchant} to charge this card for future payments, as agreed with you.',
    'Wenn Sie fortfahren, erlauben Sie {merchant}, diese Karte wie vereinbart für künftige Zahlungen zu belasten.',
    'En continuant, vous autorisez {merchant} à débiter cette carte pour de futurs paiements, comme convenu avec vous.',
  ),
  savedTerms: say(
    '{merchant} keeps the card so that you need not type it again. You can have it deleted at any time.',
    '{merchant} bewahrt die Karte auf, damit Sie sie nicht noch einmal eingeben müssen. Sie können sie jederzeit löschen lassen.',
    '{merchant} conserve la carte pour que vous n’ayez pas à la saisir de nouveau. Vous pouvez la faire supprimer à tout moment.',
  ),
  onward: say(
    'You will be taken to {method} to complete the payment.',
    'Sie werden zu {method} weitergeleitet, um die Zahlung abzuschließen.',
    'Vous serez redirigé vers {method} pour finaliser le paiement.',
  ),
  instructed: say(
    'The next page shows how to pay with {method}.',
    'Auf der nächsten Seite steht, wie Sie mit {method} bezahlen.',
    'La page suivante indique comment payer avec {method}.',
  ),
  numberMissing: say('Enter the card number', 'Geben Sie die Kartennummer ein', 'Saisissez le numéro de carte'),
  numberShort: say('The card number is not complete', 'Die Kartennummer ist unvollständig', 'Le numéro de carte est incomplet'),
  numberWrong: say('This is not a valid card number', 'Diese Kartennummer ist ungültig', "Ce numéro de carte n'est pas valable"),
  networkRefused: say(
    '{network} cards are not accepted here',
    'Karten von {network} werden hier nicht angenommen',
    'Les cartes {network} ne sont pas acceptées ici',
  ),
  expiryMissing: say('Enter the expiry date', 'Geben Sie das Ablaufdatum ein', "Saisissez la date d'expiration"),
  expiryWrong: say('This is not a valid date', 'Dieses Datum ist ungültig', "Cette date n'est pas valable"),
  expired: say('This card has expired', 'Diese Karte ist abgelaufen', 'Cette carte a expiré'),
  codeMissing: say('Enter the security code', 'Geben Sie die Prüfnummer ein', 'Saisissez le code de sécurité'),
  codeWrong: say('The security code is not complete', 'Die Prüfnummer ist unvollständig', 'Le code de sécurité est incomplet'),
  needed: say('Please fill this in', 'Bitte ausfüllen', 'Veuillez remplir ce champ'),
  paying: say('Your payment is being processed', 'Ihre Zahlung wird verarbeitet', 'Votre paiement est en cours de traitement'),
  toBank: say('Taking you to your bank', 'Sie werden zu Ihrer Bank weitergeleitet', 'Redirection vers votre banque'),
  checking: say(
    'The connection was interrupted. We are checking the status of your payment; please do not pay again.',
    'Die Verbindung wurde unterbrochen. Wir sehen nach, wie es um Ihre Zahlung steht; bitte bezahlen Sie nicht noch einmal.',
    'La connexion a été interrompue. Nous vérifions où en est votre paiement ; ne payez pas une seconde fois.',
  ),
  declined: say(
    'The payment was declined. Try another card, or ask your bank.',
    'Die Zahlung wurde abgelehnt. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.',
    'Le paiement a été refusé. Essayez une autre carte ou contactez votre banque.',
  ),
  declinedFunds: say(
    'This card has insufficient funds. Try another card.',
    'Diese Karte ist nicht ausreichend gedeckt. Versuchen Sie es mit einer anderen.',
    "Cette carte n'est pas suffisamment approvisionnée. Essayez-en une autre.",
  ),
  declinedCode: say(
    'The security code of the card is wrong. Check it, or try another card.',
    'Die Prüfnummer der Karte ist falsch. Prüfen Sie sie, oder versuchen Sie es mit einer anderen Karte.',
    'Le code de sécurité de la carte est incorrect. Vérifiez-le ou essayez une autre carte.',
  ),
  declinedCheck: say(
    'Your bank could not confirm that it is you. Try again, or pay another way.',
    'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Versuchen Sie es noch einmal, oder bezahlen Sie anders.',
    "Votre banque n'a pas pu confirmer votre identité. Réessayez ou payez autrement.",
  ),
  notTaken: say(
    'This payment method is not available here. Choose another one.',
    'Diese Zahlungsart ist hier nicht möglich. Wählen Sie eine andere.',
    "Ce moyen de paiement n'est pas possible ici. Choisissez-en un autre.",
  ),
  tooMany: say(
    'There were too many attempts to pay. Please try again later.',
    'Es wurde zu oft versucht zu bezahlen. Bitte versuchen Sie es später noch einmal.',
    'Il y a eu trop de tentatives de paiement. Veuillez réessayer plus tard.',
  ),
  notNow: say(
    'The payment service cannot be reached right now. Please try again in a moment.',
    'Der Zahlungsdienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    'Le service de paiement est momentanément indisponible. Veuillez réessayer dans un instant.',
  ),
  again: say('Try again', 'Noch einmal versuchen', 'Réessayer'),
  nothingOffered: say(
    'No payment method is available at the moment. Please contact the merchant.',
    'Hier kann im Augenblick nicht bezahlt werden. Bitte wenden Sie sich an den Händler.',
    "Aucun moyen de paiement n'est disponible pour le moment. Veuillez contacter le marchand.",
  ),
  fullName: say('Full name', 'Vor- und Nachname', 'Nom complet'),
  firstName: say('First name', 'Vorname', 'Prénom'),
  lastName: say('Last name', 'Nachname', 'Nom'),
  email: say('E-mail', 'E-Mail', 'E-mail'),
  phone: say('Telephone', 'Telefon', 'Téléphone'),
  line1: say('Address', 'Straße und Hausnummer', 'Adresse'),
  line2: say('Address, second line', 'Adresszusatz', "Complément d'adresse"),
  city: say('City', 'Ort', 'Ville'),
  zip: say('Postcode', 'Postleitzahl', 'Code postal'),
  state: say('State or region', 'Bundesland oder Region', 'État ou région'),
  country: say('Country', 'Land', 'Pays'),
  bank: say('Bank', 'Bank', 'Banque'),
  iban: say('IBAN', 'IBAN', 'IBAN'),
  account: say('Account number', 'Kontonummer', 'Numéro de compte'),
  holder: say('Account holder', 'Kontoinhaber', 'Titulaire du compte'),
} satisfies Record<string, Texts>

/** The further texts of frames in a shop's page. */
const inFrame = {
  frameTitle: say('Secure payment form', 'Sicheres Zahlungsformular', 'Formulaire de paiement sécurisé'),
  resume: say('Continue', 'Weiter', 'Continuer'),
  surchargeIncluded: say(
    'The amount includes a surcharge of {amount}.',
    'Der Betrag enthält einen Aufschlag von {amount}.',
    'Le montant comprend un supplément de {amount}.',
  ),
  forgetCard: say('Delete this card', 'Diese Karte löschen', 'Supprimer cette carte'),
  forgetSure: say('Delete it for good?', 'Endgültig löschen?', 'Supprimer définitivement ?'),
  forget: say('Delete', 'Löschen', 'Supprimer'),
  forgetNot: say('Keep it', 'Behalten', 'Conserver'),
  sessionOver: say('The time to pay has expired', 'Die Zeit zum Bezahlen ist vorbei', 'Le délai de paiement est dépassé'),
  sessionOverSays: say(
    'Reload the page to begin again. If you have just paid, the merchant knows.',
    'Laden Sie die Seite neu, um noch einmal zu beginnen. Wenn Sie gerade bezahlt haben, weiß der Händler davon.',
    'Rechargez la page pour recommencer. Si vous venez de payer, le marchand en est informé.',
  ),
  leaving: say(
    'You are being taken to the next page.',
    'Sie werden zur nächsten Seite weitergeleitet.',
    'Vous allez être redirigé vers la page suivante.',
  ),
} satisfies Record<string, Texts>

/** The texts of the frame over a shop's page. */
const onAction = {
  actionHeading: say('Confirm your payment', 'Zahlung bestätigen', 'Confirmez votre paiement'),
  closeAction: say('Close', 'Schließen', 'Fermer'),
  wholePage: say(
    'Nothing to see here? Open it as a page of its own',
    'Hier ist nichts zu sehen? Als eigene Seite öffnen',
    "Rien ne s'affiche ? Ouvrir sur une page à part",
  ),
} satisfies Record<string, Texts>

/** The texts that only the page itself uses. */
const onPage = {
  payTo: say('Pay {merchant}', 'Zahlung an {merchant}', 'Payer {merchant}'),
  saveFor: say('Save a card with {merchant}', 'Karte bei {merchant} speichern', 'Enregistrer une carte chez {merchant}'),
  order: say('Your order', 'Ihre Bestellung', 'Votre commande'),
  total: say('Total', 'Gesamtbetrag', 'Total'),
  shipping: say('Shipping', 'Versand', 'Livraison'),
  tax: say('Tax', 'Steuer', 'Taxe'),
  surcharge: say('Surcharge', 'Aufschlag', 'Supplément'),
  reference: say('Reference', 'Referenz', 'Référence'),
  merchant: say('Merchant', 'Händler', 'Marchand'),
  testMode: say('Test mode', 'Testmodus', 'Mode test'),
  testModeSays: say('No real money moves.', 'Hier fließt kein Geld.', 'Aucun argent réel ne circule.'),
  details: say('Payment details', 'Zahlungsdaten', 'Informations de paiement'),
  loading: say('Loading', 'Wird geladen', 'Chargement'),
  scripts: say(
    'This page requires JavaScript to accept your payment.',
    'Diese Seite braucht JavaScript, um Ihre Zahlung anzunehmen.',
    'Cette page a besoin de JavaScript pour accepter votre paiement.',
  ),
  encrypted: say(
    'Your details are sent encrypted.',
    'Ihre Angaben werden verschlüsselt übertragen.',
    'Vos informations sont transmises de façon chiffrée.',
  ),
  poweredBy: say('Powered by {name}', 'Bereitgestellt mit {name}', 'Propulsé par {name}'),
  back: say('Back to {merchant}', 'Zurück zu {merchant}', 'Retour à {merchant}'),
  returning: say(
    'You will be redirected in {seconds} seconds.',
    'Sie werden in {seconds} Sekunden zurückgeleitet.',
    'Vous serez redirigé dans {seconds} secondes.',
  ),
  goOn: say('Continue to your bank', 'Weiter zu Ihrer Bank', 'Continuer vers votre banque'),
  scan: say('Scan to pay', 'Zum Bezahlen scannen', 'Scannez pour payer'),
  scanSays: say(
    'Scan the code with your payment app.',
    'Scannen Sie den Code mit der App, mit der Sie bezahlen.',
    "Scannez le code avec l'application avec laquelle vous payez.",
  ),
  codeToScan: say('Code to scan', 'Code zum Scannen', 'Code à scanner'),
  transfer: say('Transfer the amount', 'Betrag überweisen', 'Virez le montant'),
  transferSays: say(
    'Transfer exactly this amount to this account. The payment is complete when the money has arrived.',
    'Überweisen Sie genau diesen Betrag auf dieses Konto. Die Zahlung ist abgeschlossen, sobald das Geld eingegangen ist.',
    "Virez exactement ce montant sur ce compte. Le paiement est terminé dès l'arrivée des fonds.",
  ),
  slip: say('Pay with this slip', 'Mit diesem Beleg bezahlen', 'Payez avec ce bon'),
  slipSays: say(
    'Pay this slip at a payment location or in your banking app.',
    'Legen Sie diesen Beleg dort vor, wo er bezahlt werden kann, oder bezahlen Sie ihn in Ihrer Banking-App.',
    'Présentez ce bon là où il peut être payé, ou réglez-le dans votre application bancaire.',
  ),
  slipOpen: say('Open the slip', 'Beleg öffnen', 'Ouvrir le bon'),
  slipNumber: say('Slip number', 'Belegnummer', 'Numéro du bon'),
  barcode: say('Bar code', 'Strichcode', 'Code-barres'),
  code: say('Enter your code', 'Code eingeben', 'Saisissez votre code'),
  codeSays: say(
    'A code was sent to your phone. Enter it here to confirm the payment.',
    'Ein Code wurde an Ihr Telefon gesendet. Geben Sie ihn hier ein, um die Zahlung zu bestätigen.',
    'Un code a été envoyé sur votre téléphone. Saisissez-le ici pour confirmer le paiement.',
  ),
  codeLabel: say('Code', 'Code', 'Code'),
  codeSend: say('Confirm the payment', 'Zahlung bestätigen', 'Confirmer le paiement'),
  codeForm: say('4 to 8 digits', '4 bis 8 Ziffern', '4 à 8 chiffres'),
  codeWrong: say(
    'This code was not accepted. Check it and try again.',
    'Dieser Code wurde nicht angenommen. Prüfen Sie ihn und versuchen Sie es noch einmal.',
    "Ce code n'a pas été accepté. Vérifiez-le et réessayez.",
  ),
  inApp: say('Confirm in your app', 'In Ihrer App bestätigen', 'Confirmez dans votre application'),
  inAppSays: say(
    'Open your payment app and confirm the payment there.',
    'Öffnen Sie die App, mit der Sie bezahlen, und bestätigen Sie dort die Zahlung.',
    "Ouvrez l'application avec laquelle vous payez et confirmez-y le paiement.",
  ),
  openApp: say('Open the app', 'App öffnen', "Ouvrir l'application"),
  instructions: say('Show the instructions', 'Anleitung anzeigen', 'Afficher les instructions'),
  toBankSays: say(
    'Your bank is checking that this payment is yours. It may ask you to confirm it.',
    'Ihre Bank wird gefragt, ob diese Zahlung von Ihnen ist. Vielleicht möchte sie von Ihnen hören.',
    'Votre banque vérifie que ce paiement est bien le vôtre. Elle vous demandera peut-être de le confirmer.',
  ),
  payBy: say('Pay by {date}.', 'Zu bezahlen bis {date}.', 'À payer avant le {date}.'),
  routingNumber: say('Routing number', 'Routing-Nummer', "Numéro d'acheminement"),
  sortCode: say('Sort code', 'Sort Code', 'Code guichet (sort code)'),
  bic: say('BIC', 'BIC', 'BIC'),
  entity: say('Entity', 'Entität', 'Entité'),
  close: say('You can close this page.', 'Sie können diese Seite schließen.', 'Vous pouvez fermer cette page.'),
  looks: say('This page updates automatically.', 'Diese Seite sieht von selbst wieder nach.', "Cette page s'actualise d'elle-même."),
} satisfies Record<string, Texts>

/**
 * The states of a payment. No text promises more about the money than the status does: the money of a failed payment
 * may still have to be returned.
 */
export const outcomes: Record<CustomerState, { heading: Texts; message: Texts }> = {
  'not begun': {
    heading: say('Nothing paid yet', 'Noch nicht bezahlt', 'Rien n’a encore été payé'),
    message: say(
      'This payment has not been made. Go back to the merchant to pay.',
      'Diese Zahlung wurde nicht ausgeführt. Gehen Sie zum Händler zurück, um zu bezahlen.',
      "Ce paiement n'a pas été effectué. Retournez chez le marchand pour payer.",
    ),
  },
  'under way': {
    heading: say('Payment in progress', 'Zahlung läuft', 'Paiement en cours'),
    message: say(
      'The result is not known yet. You do not need to pay again: the merchant will be informed.',
      'Das Ergebnis steht noch nicht fest. Sie brauchen nicht noch einmal zu bezahlen: der Händler erfährt davon.',
      "Le résultat n'est pas encore connu. Inutile de payer une seconde fois : le marchand en sera informé.",
    ),
  },
  waiting: {
    heading: say('Confirmation needed', 'Bestätigung erforderlich', 'Confirmation requise'),
    message: say(
      'Your bank is still waiting for you to confirm this payment.',
      'Ihre Bank wartet noch darauf, dass Sie diese Zahlung bestätigen.',
      'Votre banque attend encore que vous confirmiez ce paiement.',
    ),
  },
  approved: {
    heading: say('Payment approved', 'Zahlung genehmigt', 'Paiement approuvé'),
    message: say(
      'Your bank has approved this payment. The merchant will collect the money later.',
      'Ihre Bank hat diese Zahlung genehmigt. Der Händler zieht den Betrag später ein.',
      'Votre banque a approuvé ce paiement. Le marchand prélèvera le montant plus tard.',
    ),
  },
  made: {
    heading: say('Payment complete', 'Zahlung abgeschlossen', 'Paiement effectué'),
    message: say('Your payment was successful.', 'Ihre Zahlung war erfolgreich.', 'Votre paiement a bien été effectué.'),
  },
  failed: {
    heading: say('Payment not completed', 'Zahlung nicht abgeschlossen', 'Paiement non abouti'),
    message: say(
      'This payment was not completed. The merchant can tell you what to do next.',
      'Diese Zahlung wurde nicht abgeschlossen. Der Händler kann Ihnen sagen, wie es weitergeht.',
      "Ce paiement n'a pas abouti. Le marchand peut vous indiquer la marche à suivre.",
    ),
  },
  cancelled: {
    heading: say('Payment cancelled', 'Zahlung abgebrochen', 'Paiement annulé'),
    message: say('This payment was cancelled.', 'Diese Zahlung wurde abgebrochen.', 'Ce paiement a été annulé.'),
  },
  expired: {
    heading: say('This link has expired', 'Dieser Link ist abgelaufen', 'Ce lien a expiré'),
    message: say(
      'The time to pay has expired. Ask the merchant for a new link.',
      'Die Zeit zum Bezahlen ist vorbei. Bitten Sie den Händler um einen neuen Link.',
      'Le délai de paiement est dépassé. Demandez un nouveau lien au marchand.',
    ),
  },
  'looked into': {
    heading: say('Payment being checked', 'Zahlung wird geprüft', 'Paiement en cours de vérification'),
    message: say(
      'The merchant is looking into this payment. Please do not pay again until you hear from them.',
      'Der Händler prüft diese Zahlung. Bitte bezahlen Sie nicht noch einmal, bevor Sie von ihm gehört haben.',
      'Le marchand examine ce paiement. Ne payez pas une seconde fois avant d’avoir eu de ses nouvelles.',
    ),
  },
}

const all = { ...onForm, ...inFrame, ...onAction, ...onPage, ...onPayoutPage, ...inPayoutFrame, ...onMethodsFrame, ...onCollectPage }
export type Word = keyof typeof all

const fill = (text: string, facts: Record<string, string>): string => text.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')

/** Returns a function that returns a text in a language, with its placeholders filled. */
export const translator =
  (language: Language) =>
  (word: Word | Texts, facts: Record<string, string> = {}): string =>
    fill(inLanguage(typeof word === 'string' ? all[word] : word, language), facts)

const inOne = (language: Language, texts: Record<string, Texts>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, inLanguage(text, language)]))

/** Returns the texts of the browser's scripts in one language, with unfilled placeholders. */
export const formTexts = (language: Language): Record<string, string> => inOne(language, onForm)
/** Returns the texts of the scripts in a frame of a shop's page. */
export const frameTexts = (language: Language): Record<string, string> => inOne(language, { ...onForm, ...inFrame })
/** Returns the texts of the scripts on a payout recipient's page. */
export const payoutFormTexts = (language: Language): Record<string, string> => inOne(language, { ...onForm, ...onPayoutForm })

/** Returns the texts of the scripts in a payout's frame in a shop's page. */
export const payoutFrameTexts = (language: Language): Record<string, string> => {
  const { paidBy, amount, paidTo, receive, noWay } = onPayoutPage
  return inOne(language, { ...onForm, ...onPayoutForm, paidBy, amount, paidTo, receive, noWay })
}

/** Returns the texts of the scripts in the frame with a customer's saved payment methods. */
export const methodsFrameTexts = (language: Language): Record<string, string> =>
  inOne(language, { ...onForm, ...inFrame, ...onMethodsForm })

/** Returns the texts of the scripts on the page on which a customer saves a payment method. */
export const collectFormTexts = (language: Language): Record<string, string> =>
  inOne(language, { ...onForm, ...onPayoutForm, ...onCollectForm })

/** Returns every text with a name, for tests. */
export const everyText = (): [name: string, texts: Texts][] => {
  const named = (room: string, texts: Record<string, Texts>) =>
    Object.entries(texts).map(([name, text]): [string, Texts] => [`${room} ${name}`, text])
  const stands = (room: string, ones: Record<string, { heading: Texts; message: Texts }>) =>
    Object.entries(ones).flatMap(([is, both]) => named(`${room} ${is}`, both))
  return [
    ...named('form', onForm),
    ...named('frame', inFrame),
    ...named('action', onAction),
    ...named('page', onPage),
    ...named('payout page', onPayoutPage),
    ...named('payout form', onPayoutForm),
    ...named('payout frame', inPayoutFrame),
    ...named('methods form', onMethodsForm),
    ...named('methods frame', onMethodsFrame),
    ...named('collect page', onCollectPage),
    ...named('collect form', onCollectForm),
    ...stands('payment', outcomes),
    ...stands('payout', payoutOutcomes),
    ...stands('collect', collectOutcomes),
  ]
}

/** Returns a text of the pages in the page's language, with its values filled in. */
export type Translate = ReturnType<typeof translator>
