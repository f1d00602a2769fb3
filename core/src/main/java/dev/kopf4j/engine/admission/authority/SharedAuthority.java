package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.SecretName;
import dev.kopf4j.webhook.WebhookAuthority;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Agrees with the other replicas on an authority, by a Secret. Who writes at the same moment as another one, takes what
 * the other one has written: the API server refuses the later one by 409. Confined to a task.
 */
public final class SharedAuthority {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** Each loser of a race reads anew, and finds that nothing is left to be done. */
    private static final int RACES_MAX = 10;

    private final Platform platform;
    private final Secrets secrets;
    private final WebhookAuthority options;
    private final SecretName name;
    private @Nullable AuthorityState last;
    private JsonNode lastData = MissingNode.getInstance();

    /** Reads nothing yet. */
    public SharedAuthority(Platform platform, Secrets secrets, WebhookAuthority options) {
        this.platform = platform;
        this.secrets = secrets;
        this.options = options;
        this.name = options.secret();
    }

    /**
     * The state of this moment, after the step that is due, if any.
     *
     * @throws SecretUnavailableException if the Secret cannot be used
     */
    public AuthorityState current() throws InterruptedException {
        for (int race = 0; race < RACES_MAX; race++) {
            ObjectNode secret = secrets.read(name).orElse(null);
            AuthorityState known = secret == null ? null : read(secret);
            AuthorityState wanted = wanted(known);
            if (wanted.equals(known) || write(secret, wanted)) {
                say(known, wanted);
                return wanted;
            }
        }
        throw new SecretUnavailableException(
                name, "is changed all the time by somebody else", "Leave it to the operator.", null);
    }

    /** If the Secret has been deleted, what is in use is stored anew: it is what the API server trusts. */
    private AuthorityState wanted(@Nullable AuthorityState known) {
        AuthorityState base = known == null ? last : known;
        return base == null
                ? AuthorityState.fresh(options, platform.now())
                : base.step(options, platform.now()).orElse(base);
    }

    private void say(@Nullable AuthorityState before, AuthorityState after) {
        if (!after.equals(before)) {
            log.info("The authority of the webhooks in the Secret {} {}.", name, progress(before, after));
        }
    }

    private static String progress(@Nullable AuthorityState before, AuthorityState after) {
        if (before == null) {
            return "is made";
        }
        if (after.next() != null && before.next() == null) {
            return "has a successor, which is announced";
        }
        return before.signing().equals(after.signing()) ? "is the only one that is trusted" : "is a new one now";
    }

    private @Nullable AuthorityState read(ObjectNode secret) {
        JsonNode data = secret.path("data");
        if (last != null && data.equals(lastData)) {
            return last;
        }
        try {
            AuthorityState state = AuthorityData.read(secret).orElse(null);
            last = state == null ? last : state;
            lastData = state == null ? lastData : data;
            return state;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SecretUnavailableException(
                    name,
                    "holds no authority of this operator: " + e.getMessage(),
                    "If nobody else needs it, delete it: the operator makes a new one. Otherwise name another one.",
                    e);
        }
    }

    private boolean write(@Nullable ObjectNode known, AuthorityState wanted) throws InterruptedException {
        ObjectNode secret = known == null ? AuthorityData.empty(name.namespace(), name.name()) : known.deepCopy();
        AuthorityData.write(wanted, secret);
        boolean written = known == null ? secrets.create(name, secret) : secrets.replace(name, secret);
        if (written) {
            last = wanted;
            lastData = secret.path("data");
        }
        return written;
    }
}
