package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A credential as a login has given it, with what its files had in them at that moment: a file that was replaced makes
 * another credential of it, though its path is the same. Immutable.
 *
 * @param info the credential
 * @param files what its files had in them
 */
record CredentialSnapshot(ConnectionInfo info, List<String> files) {
    /** The credential as it is now. */
    static CredentialSnapshot of(ConnectionInfo info) {
        return new CredentialSnapshot(
                info,
                Stream.of(info.tokenPath(), info.certificatePath(), info.privateKeyPath())
                        .filter(Objects::nonNull)
                        .map(CredentialSnapshot::content)
                        .toList());
    }

    /** A file that cannot be read is told where it is used. */
    private static String content(String path) {
        try {
            return Files.readString(Path.of(path)).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** The files hold secrets. */
    @Override
    public String toString() {
        return info.toString();
    }
}
