package dev.kopf4j.client.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Opens keys in PKCS #8 that are encrypted with a password (RFC 5958, RFC 8018). */
final class EncryptedKey {
    private EncryptedKey() {}

    /**
     * Returns the plain key in PKCS #8.
     *
     * @throws GeneralSecurityException if the password is not the right one, or the JDK does not know the encryption
     */
    static byte[] opened(String what, byte[] der, String password) throws GeneralSecurityException {
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            String algorithm = algorithm(info);
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(cipher).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(
                    "the " + what + " cannot be opened with the password that was given: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new GeneralSecurityException("the " + what + " is damaged: " + e.getMessage(), e);
        }
    }

    /** The parameters of PBES2 know the pair of algorithms; its own name is that of the scheme only. */
    private static String algorithm(EncryptedPrivateKeyInfo info) {
        return info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
                ? info.getAlgParameters().toString()
                : info.getAlgName();
    }
}
