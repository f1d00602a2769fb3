package dev.kopf4j;

/** What a client wants to do to an object, as {@code request.operation} of an AdmissionReview says it. */
public enum AdmissionOperation {
    /** An object is to be created. */
    CREATE,
    /** An object is to be changed. */
    UPDATE,
    /** An object is to be deleted; there is only its old state. */
    DELETE,
    /** A connection is to be opened, as by {@code kubectl exec}; the object is the options of the connection. */
    CONNECT
}
