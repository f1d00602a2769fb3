/**
 * Makes authorities and certificates of servers ({@code CertificateAuthority}), and reads and writes certificates and
 * keys as PEM ({@code PemReader}, {@code PemWriter}). Pure, but for the randomness of keys.
 */
@NullMarked
package dev.kopf4j.certificate;

import org.jspecify.annotations.NullMarked;
