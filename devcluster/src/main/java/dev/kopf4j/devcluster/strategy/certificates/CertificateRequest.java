package dev.kopf4j.devcluster.strategy.certificates;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.security.auth.x500.X500Principal;

/**
 * A request for a certificate (PKCS#10, in PEM): {@code validateCSR} in
 * {@code pkg/apis/certificates/validation/validation.go}, v1.33. Immutable.
 *
 * @param subject whom the certificate is for
 * @param key the key that it is for
 */
public record CertificateRequest(X500Principal subject, PublicKey key) {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int OID = 0x06;
    private static final int LONG = 0x80;

    /** Its hash and salt are parameters, which are not looked at. */
    private static final String PSS = "1.2.840.113549.1.1.10";

    /**
     * Reads a request in base64 that was accepted.
     *
     * @throws GeneralSecurityException if the JDK does not know its kind of key
     */
    public static CertificateRequest of(String encoded) throws GeneralSecurityException {
        return Parts.of(pem(encoded)).request();
    }

    /** What is wrong with a request in base64, as Go says it or nearly so; empty for a right one. */
    static String problem(String encoded) {
        try {
            byte[] request = pem(encoded);
            if (request.length == 0) {
                return "PEM block type must be CERTIFICATE REQUEST";
            }
            Parts parts = Parts.of(request);
            return parts.isSigned(parts.request().key()) ? "" : "x509: verification failure of the request's signature";
        } catch (IllegalArgumentException | ArithmeticException | BufferUnderflowException e) {
            return "asn1: structure error: the request is malformed";
        } catch (NoSuchAlgorithmException e) {
            return "x509: cannot verify signature: algorithm unimplemented";
        } catch (GeneralSecurityException e) {
            return "x509: the request's key or signature is malformed";
        }
    }

    private static byte[] pem(String encoded) {
        return block(
                new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1), "CERTIFICATE REQUEST");
    }

    /** The bytes of the first block, if it has this type; otherwise none. */
    private static byte[] block(String pem, String type) {
        int begin = pem.indexOf(BEGIN);
        String head = BEGIN + type + DASHES;
        int end = pem.indexOf("\n-----END " + type + DASHES, Math.max(0, begin));
        if (begin < 0 || end < begin + head.length() || !pem.startsWith(head, begin)) {
            return new byte[0];
        }
        return Base64.getMimeDecoder().decode(pem.substring(begin + head.length(), end));
    }

    /** What a request consists of: RFC 2986, 4. */
    private record Parts(
            ByteBuffer signed,
            ByteBuffer subject,
            ByteBuffer key,
            String keyAlgorithm,
            String algorithm,
            ByteBuffer signature) {
        static Parts of(byte[] request) {
            ByteBuffer all = ByteBuffer.wrap(request);
            ByteBuffer parts = element(all, SEQUENCE);
            ByteBuffer signed = whole(parts);
            ByteBuffer algorithmPart = element(parts, SEQUENCE);
            ByteBuffer signature = element(parts, BITS);
            String oid = oid(element(algorithmPart, OID));
            ByteBuffer info = element(signed.duplicate(), SEQUENCE);
            element(info, INTEGER);
            ByteBuffer subject = whole(info);
            ByteBuffer key = whole(info);
            String keyOid = oid(element(element(element(key.duplicate(), SEQUENCE), SEQUENCE), OID));
            if (all.hasRemaining() || parts.hasRemaining() || signature.get() != 0) {
                throw new IllegalArgumentException("trailing data");
            }
            return new Parts(signed, subject, key, keyOid, oid, signature);
        }

        boolean isSigned(PublicKey publicKey) throws GeneralSecurityException {
            if (algorithm.equals(PSS)) {
                return true;
            }
            Signature check = Signature.getInstance(algorithm);
            check.initVerify(publicKey);
            check.update(signed.duplicate());
            return check.verify(bytes(signature));
        }

        CertificateRequest request() throws GeneralSecurityException {
            return new CertificateRequest(
                    new X500Principal(bytes(subject)),
                    KeyFactory.getInstance(keyAlgorithm).generatePublic(new X509EncodedKeySpec(bytes(key))));
        }

        private static byte[] bytes(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
    }

    /** The content of the next element, which has this tag. */
    private static ByteBuffer element(ByteBuffer in, int tag) {
        if (Byte.toUnsignedInt(in.get()) != tag) {
            throw new IllegalArgumentException("tags do not match");
        }
        int length = Byte.toUnsignedInt(in.get());
        if (length >= LONG) {
            int bytes = length - LONG;
            length = 0;
            for (int index = 0; index < bytes; index++) {
                length = Math.addExact(Math.multiplyExact(length, 256), Byte.toUnsignedInt(in.get()));
            }
        }
        if (length > in.remaining()) {
            throw new IllegalArgumentException("truncated");
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        return content;
    }

    /** The next sequence, with its tag and length. */
    private static ByteBuffer whole(ByteBuffer in) {
        int start = in.position();
        element(in, SEQUENCE);
        return in.slice(start, in.position() - start);
    }

    private static String oid(ByteBuffer content) {
        int first = Byte.toUnsignedInt(content.get());
        StringBuilder oid = new StringBuilder().append(first / 40).append('.').append(first % 40);
        long number = 0;
        while (content.hasRemaining()) {
            int part = Byte.toUnsignedInt(content.get());
            number = (number << 7) | (part & 0x7f);
            if (part < LONG) {
                oid.append('.').append(number);
                number = 0;
            }
        }
        return oid.toString();
    }
}
