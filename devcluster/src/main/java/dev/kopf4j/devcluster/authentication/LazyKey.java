package dev.kopf4j.devcluster.authentication;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the key at its first use: few clusters issue tokens, and the key takes as long as the rest of the start. */
final class LazyKey implements Supplier<SigningKey> {
    private final byte[] secret;
    private @Nullable SigningKey key;

    LazyKey(byte[] secret) {
        this.secret = secret;
    }

    @Override
    public synchronized SigningKey get() {
        SigningKey present = key == null ? new SigningKey(secret) : key;
        key = present;
        return present;
    }
}
