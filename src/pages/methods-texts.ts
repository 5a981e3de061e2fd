import { say, type Texts } from './languages.ts'

/** The texts of the frame in which a customer manages saved payment methods, one line for each language. */

/** The texts that the frame's scripts use instead of, and besides, those for a payment. */
export const onMethodsForm = {
  isDefault: say('Default', 'Standard', 'Par défaut'),
  makeDefault: say('Make default', 'Als Standard festlegen', 'Définir par défaut'),
  defaultSet: say(
    'Your default payment method was changed.',
    'Ihre Standard-Zahlungsart wurde geändert.',
    'Votre moyen de paiement par défaut a été modifié.',
  ),
  deleted: say('The payment method was deleted.', 'Die Zahlungsart wurde gelöscht.', 'Le moyen de paiement a été supprimé.'),
  savingCard: say('Your card is being saved', 'Ihre Karte wird gespeichert', 'Votre carte est en cours d’enregistrement'),
  cardSaved: say('Your card is saved.', 'Ihre Karte ist gespeichert.', 'Votre carte est enregistrée.'),
  cardOpen: say(
    'Your bank is still checking the card. It appears here as soon as it is saved.',
    'Ihre Bank prüft die Karte noch. Sie erscheint hier, sobald sie gespeichert ist.',
    'Votre banque vérifie encore la carte. Elle apparaîtra ici dès qu’elle sera enregistrée.',
  ),
  cardClosed: say(
    'The card was not saved, because your bank has not heard from you. Try again.',
    'Die Karte wurde nicht gespeichert, weil Ihre Bank nichts von Ihnen gehört hat. Versuchen Sie es noch einmal.',
    'La carte n’a pas été enregistrée, car votre banque attend encore votre confirmation. Réessayez.',
  ),
  noCards: say(
    'No card can be saved at the moment.',
    'Im Augenblick kann keine Karte gespeichert werden.',
    'Aucune carte ne peut être enregistrée pour le moment.',
  ),
  declined: say(
    'The card was declined. Try another card, or ask your bank.',
    'Die Karte wurde abgelehnt. Versuchen Sie es mit einer anderen, oder fragen Sie Ihre Bank.',
    'La carte a été refusée. Essayez une autre carte ou contactez votre banque.',
  ),
  notTaken: say(
    'This card cannot be saved here. Try another one.',
    'Diese Karte kann hier nicht gespeichert werden. Versuchen Sie es mit einer anderen.',
    'Cette carte ne peut pas être enregistrée ici. Essayez-en une autre.',
  ),
  notNow: say(
    'The service cannot be reached right now. Please try again in a moment.',
    'Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    'Le service est momentanément indisponible. Veuillez réessayer dans un instant.',
  ),
} satisfies Record<string, Texts>

/** The texts that only the frame itself uses. */
export const onMethodsFrame = {
  methodsTitle: say('Your payment methods', 'Ihre Zahlungsarten', 'Vos moyens de paiement'),
  noMethods: say(
    'You have no saved payment methods.',
    'Sie haben keine Zahlungsarten gespeichert.',
    'Vous n’avez aucun moyen de paiement enregistré.',
  ),
  addCard: say('Add a card', 'Karte hinzufügen', 'Ajouter une carte'),
  cancelAdding: say('Cancel', 'Abbrechen', 'Annuler'),
  keyOver: say('This view has expired', 'Diese Ansicht ist abgelaufen', 'Cette vue a expiré'),
  keyOverSays: say(
    'Reload the page to see your payment methods.',
    'Laden Sie die Seite neu, um Ihre Zahlungsarten zu sehen.',
    'Rechargez la page pour voir vos moyens de paiement.',
  ),
} satisfies Record<string, Texts>
