package dev.kopf4j.certificate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;

/** What certificates say beside names and keys: RFC 5280, 4.2.1. Pure. */
final class CertificateExtensions {
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

    private CertificateExtensions() {}

    /** It may sign others. */
    static byte[] authority() {
        return critical("2.5.29.19", DerWriter.sequence(DerWriter.yes()));
    }

    /** It may not sign others. */
    static byte[] noAuthority() {
        return critical("2.5.29.19", DerWriter.sequence());
    }

    /** For signatures of connections, keys, certificates and revocations: bits 0, 2, 5, 6. */
    static byte[] allUsages() {
        return critical("2.5.29.15", DerWriter.bits(1, new byte[] {(byte) 0b1010_0110}));
    }

    /** For signatures of certificates and revocations: bits 5 and 6. */
    static byte[] signing() {
        return critical("2.5.29.15", DerWriter.bits(1, new byte[] {(byte) 0b0000_0110}));
    }

    /** For signatures of connections: bit 0. */
    static byte[] connecting() {
        return critical("2.5.29.15", DerWriter.bits(7, new byte[] {(byte) 0b1000_0000}));
    }

    /** Servers show it, and clients may. */
    static byte[] serversAndClients() {
        return extension(
                "2.5.29.37", DerWriter.sequence(DerWriter.identifier(SERVER_AUTH), DerWriter.identifier(CLIENT_AUTH)));
    }

    /** Only servers show it. */
    static byte[] servers() {
        return extension("2.5.29.37", DerWriter.sequence(DerWriter.identifier(SERVER_AUTH)));
    }

    /** Tells its key from others. */
    static byte[] keyId(PublicKey key) throws GeneralSecurityException {
        return extension("2.5.29.14", DerWriter.octets(digest(key)));
    }

    /** Tells the key of its authority from others. */
    static byte[] authorityKeyId(PublicKey key) throws GeneralSecurityException {
        return extension("2.5.29.35", DerWriter.sequence(DerWriter.element(0x80, digest(key))));
    }

    /** All names of a server. */
    static byte[] alternativeNames(ServerNames names) {
        List<byte[]> all = new ArrayList<>();
        names.hosts().forEach(host -> all.add(DerWriter.element(0x82, host.getBytes(StandardCharsets.US_ASCII))));
        names.addresses().forEach(address -> all.add(DerWriter.element(0x87, address.getAddress())));
        return extension("2.5.29.17", DerWriter.sequence(all));
    }

    private static byte[] digest(PublicKey key) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
    }

    private static byte[] critical(String id, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(id), DerWriter.yes(), DerWriter.octets(value));
    }

    private static byte[] extension(String id, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(id), DerWriter.octets(value));
    }
}
