package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.webhook.SecretName;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A cluster whose Secrets nobody asks for. */
public enum NoSecrets implements Secrets {
    INSTANCE;

    @Override
    public Optional<ObjectNode> read(SecretName secret) {
        throw new AssertionError("the Secret " + secret + " is read");
    }

    @Override
    public boolean create(SecretName secret, ObjectNode object) {
        throw new AssertionError("the Secret " + secret + " is created");
    }

    @Override
    public boolean replace(SecretName secret, ObjectNode object) {
        throw new AssertionError("the Secret " + secret + " is replaced");
    }
}
