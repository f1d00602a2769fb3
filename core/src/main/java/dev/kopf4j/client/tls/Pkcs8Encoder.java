package dev.kopf4j.client.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HexFormat;

/**
 * Wraps the older forms of private keys into PKCS #8, the only one that the JDK reads.
 *
 * <p>RFC 5958: {@code SEQUENCE { version 0, SEQUENCE { algorithm, parameters }, OCTET STRING key }}.
 */
final class Pkcs8Encoder {
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int EC_PARAMETERS = 0xA0;
    private static final byte[] VERSION_0 = hex("020100");
    private static final byte[] RSA_ENCRYPTION = hex("06092a864886f70d0101010500");
    private static final byte[] EC_PUBLIC_KEY = hex("06072a8648ce3d0201");

    private Pkcs8Encoder() {}

    /** From PKCS #1 (RFC 8017): {@code BEGIN RSA PRIVATE KEY}. */
    static byte[] rsaAsPkcs8(byte[] pkcs1) {
        return pkcs8(RSA_ENCRYPTION, pkcs1);
    }

    /** From SEC 1 (RFC 5915): {@code BEGIN EC PRIVATE KEY}, whose curve moves to the algorithm. */
    static byte[] ecAsPkcs8(byte[] sec1) throws GeneralSecurityException {
        return pkcs8(joined(EC_PUBLIC_KEY, curve(sec1)), sec1);
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, joined(VERSION_0, element(SEQUENCE, algorithm), element(OCTET_STRING, key)));
    }

    /** {@code SEQUENCE { version, OCTET STRING, [0] curve, [1] public key }}. */
    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        ByteBuffer inside = ByteBuffer.wrap(content(ByteBuffer.wrap(sec1), SEQUENCE));
        while (inside.hasRemaining()) {
            int tag = inside.get(inside.position()) & 0xFF;
            byte[] value = content(inside, tag);
            if (tag == EC_PARAMETERS) {
                return value;
            }
        }
        throw new GeneralSecurityException("the EC key does not name its curve");
    }

    private static byte[] content(ByteBuffer der, int expectedTag) throws GeneralSecurityException {
        int tag = der.get() & 0xFF;
        int length = der.get() & 0xFF;
        if (length > 0x80) {
            int count = length & 0x7F;
            length = 0;
            for (int i = 0; i < count; i++) {
                length = (length << 8) | (der.get() & 0xFF);
            }
        }
        if (tag != expectedTag || length < 0 || length > der.remaining()) {
            throw new GeneralSecurityException("the EC key is damaged");
        }
        byte[] value = new byte[length];
        der.get(value);
        return value;
    }

    private static byte[] element(int tag, byte[] value) {
        return joined(new byte[] {(byte) tag}, length(value.length), value);
    }

    private static byte[] length(int length) {
        if (length < 0x80) {
            return new byte[] {(byte) length};
        }
        return length < 0x100
                ? new byte[] {(byte) 0x81, (byte) length}
                : new byte[] {(byte) 0x82, (byte) (length >> 8), (byte) length};
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
