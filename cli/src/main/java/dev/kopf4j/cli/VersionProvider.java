package dev.kopf4j.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this program and of the Java that runs it. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"kopf4j " + number() + " (Java " + Runtime.version() + ")"};
    }

    /** The version alone. */
    static String number() {
        var properties = new Properties();
        try (var file = VersionProvider.class.getResourceAsStream("version.properties")) {
            if (file != null) {
                properties.load(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Reading the version failed", e);
        }
        return properties.getProperty("version", "of unknown version");
    }
}
