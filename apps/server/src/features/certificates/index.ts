export { type CertificatesTiming, createCertificatesFeature } from './certificates.feature.ts';
export { createTemporaryCertificate } from './temporary-certificate.ts';
export { listWanted, type WantedCertificate } from './wanted.ts';
