package dev.kopf4j.webhook;

/** A namespace and a name, which are not empty. */
record NamedSecret(String namespace, String name) implements SecretName {
    NamedSecret {
        if (namespace.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "a Secret has a namespace and a name, not '" + namespace + "' and '" + name + "'");
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
