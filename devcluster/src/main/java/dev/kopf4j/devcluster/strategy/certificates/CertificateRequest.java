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

/**
 * Reads PEM-encoded requests for certificates (PKCS#10): {@code validateCSR} in
 * {@code pkg/apis/certificates/validation/validation.go}, v1.33. Pure.
 */
final class CertificateRequest {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int OID = 0x06;
    private static final int LONG = 0x80;

    /** Its hash and salt are parameters, which are not looked at. */
    private static final String PSS = "1.2.840.113549.1.1.10";

    private CertificateRequest() {}

    /** What is wrong with a request in base64, as Go says it or nearly so; empty for a right one. */
    static String problem(String encoded) {
        try {
            byte[] request = block(
                    new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1),
                    "CERTIFICATE REQUEST");
            if (request.length == 0) {
                return "PEM block type must be CERTIFICATE REQUEST";
            }
            return isSigned(request) ? "" : "x509: verification failure of the request's signature";
        } catch (IllegalArgumentException | ArithmeticException | BufferUnderflowException e) {
            return "asn1: structure error: the request is malformed";
        } catch (NoSuchAlgorithmException e) {
            return "x509: cannot verify signature: algorithm unimplemented";
        } catch (GeneralSecurityException e) {
            return "x509: the request's key or signature is malformed";
        }
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

    private static boolean isSigned(byte[] request) throws GeneralSecurityException {
        ByteBuffer all = ByteBuffer.wrap(request);
        ByteBuffer parts = element(all, SEQUENCE);
        byte[] signed = raw(parts);
        ByteBuffer algorithm = element(parts, SEQUENCE);
        ByteBuffer signature = element(parts, BITS);
        String oid = oid(element(algorithm, OID));
        ByteBuffer info = element(ByteBuffer.wrap(signed), SEQUENCE);
        element(info, INTEGER);
        element(info, SEQUENCE); // the subject
        byte[] key = raw(info);
        ByteBuffer keyParts = element(ByteBuffer.wrap(key), SEQUENCE);
        String keyOid = oid(element(element(keyParts, SEQUENCE), OID));
        if (all.hasRemaining() || parts.hasRemaining() || signature.get() != 0) {
            throw new IllegalArgumentException("trailing data");
        }
        PublicKey publicKey = KeyFactory.getInstance(keyOid).generatePublic(new X509EncodedKeySpec(key));
        if (oid.equals(PSS)) {
            return true;
        }
        Signature check = Signature.getInstance(oid);
        check.initVerify(publicKey);
        check.update(signed);
        byte[] bytes = new byte[signature.remaining()];
        signature.get(bytes);
        return check.verify(bytes);
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

    /** The bytes of the next sequence, with its tag and length. */
    private static byte[] raw(ByteBuffer in) {
        int start = in.position();
        element(in, SEQUENCE);
        byte[] bytes = new byte[in.position() - start];
        in.get(start, bytes);
        return bytes;
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
