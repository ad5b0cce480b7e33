export { type CertificatesTiming, createCertificatesFeature } from './certificates.feature.ts';
export { createTemporaryCertificate } from './temporary-certificate.ts';
export { listDesiredCertificates, type DesiredCertificate } from './desired-certificates.ts';
