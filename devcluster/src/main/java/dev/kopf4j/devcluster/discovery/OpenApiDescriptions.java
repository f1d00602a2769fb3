package dev.kopf4j.devcluster.discovery;

/** What {@code kubectl explain} shows for the fields that every custom object has. */
final class OpenApiDescriptions {
    static final String API_VERSION =
            "APIVersion defines the versioned schema of this representation of an object. Servers should convert"
                    + " recognized schemas to the latest internal value, and may reject unrecognized values. More info:"
                    + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
    static final String KIND =
            "Kind is a string value representing the REST resource this object represents. Servers may infer this from"
                    + " the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:"
                    + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
    static final String METADATA = "Standard object's metadata. More info:"
            + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

    private OpenApiDescriptions() {}
}
