package watch

import "syscall"

// networks are the file systems, by the number that statfs(2) gives, on which
// other machines, or the host of this one, change files without the kernel's
// knowledge.
var networks = map[int64]bool{
	0x6969:     true, // NFS
	0x517B:     true, // SMB
	0xFF534D42: true, // CIFS
	0xFE534D42: true, // SMB 2
	0x01021997: true, // 9P, as on drives of a host
	0x65735546: true, // FUSE, as of sshfs
	0x00C36400: true, // Ceph
	0x5346414F: true, // AFS
	0x73757245: true, // Coda
	0x786F4256: true, // folders shared with VirtualBox
}

func isNetwork(path string) bool {
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && networks[int64(stat.Type)&0xFFFFFFFF]
}
