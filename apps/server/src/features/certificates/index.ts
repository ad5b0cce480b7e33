export { type CertificatesTiming, createCertificatesFeature } from './certificates.feature.ts';
export { type DesiredCertificate, listDesiredCertificates } from './desired-certificates.ts';
export { createTemporaryCertificate } from './temporary-certificate.ts';
