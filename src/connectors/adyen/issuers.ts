import { tableOf } from '../kit/read.ts'

/** Adyen's ids of banks (the issuers that its /paymentMethods lists), by country and by our names. */
// biome-ignore format: a table reads better in rows
export const issuers = {
  PL: tableOf<string>({
    blik_p_s_p: '154', place_z_i_p_k_o: '31', m_bank: '243', pay_with_i_n_g: '112', santander_przelew24: '20',
    bank_p_e_k_a_o_s_a: '65', bank_millennium: '85', pay_with_alior_bank: '88', banki_spoldzielcze: '143',
    pay_with_inteligo: '26', b_n_p_paribas_poland: '33', bank_nowy_s_a: '144', credit_agricole: '45', pay_with_b_o_s: '99',
    pay_with_citi_handlowy: '119', pay_with_plus_bank: '131', toyota_bank: '64', velo_bank: '153', e_transfer_pocztowy24: '141',
  }),
  CZ: tableOf<string>({ ceska_sporitelna: 'cs', komercni_banka: 'kb', platnosc_online_karta_platnicza: 'c' }),
  SK: tableOf<string>({ e_platby_v_u_b: 'vub', postova_banka: 'posto', sporo_pay: 'sporo', tatra_pay: 'tatra', viamo: 'viamo' }),
  TH: tableOf<string>({
    bangkok_bank: 'molpay_bangkokbank', krungsri_bank: 'molpay_krungsribank', krung_thai_bank: 'molpay_krungthaibank',
    the_siam_commercial_bank: 'molpay_siamcommercialbank', kasikorn_bank: 'molpay_kbank',
  }),
  MY: tableOf<string>({
    affin_bank: 'fpx_abb', agro_bank: 'fpx_agrobank', alliance_bank: 'fpx_abmb', am_bank: 'fpx_amb', bank_islam: 'fpx_bimb',
    bank_muamalat: 'fpx_bmmb', bank_rakyat: 'fpx_bkrm', bank_simpanan_nasional: 'fpx_bsn', cimb_bank: 'fpx_cimbclicks',
    hong_leong_bank: 'fpx_hlb', hsbc_bank: 'fpx_hsbc', kuwait_finance_house: 'fpx_kfh', maybank: 'fpx_mb2u',
    ocbc_bank: 'fpx_ocbc', public_bank: 'fpx_pbb', rhb_bank: 'fpx_rhb', standard_chartered_bank: 'fpx_scb', uob_bank: 'fpx_uob',
  }),
} as const
