package watch

import "syscall"

// networks are the file systems, by their f_type in statfs(2), on which other machines,
// or the host of this virtual machine, change files without notifying the kernel.
var networks = map[int64]bool{
	0x6969:     true, // NFS
	0x517B:     true, // SMB
	0xFF534D42: true, // CIFS
	0xFE534D42: true, // SMB 2
	0x01021997: true, // 9P, such as drives of the host
	0x65735546: true, // FUSE, such as sshfs
	0x00C36400: true, // Ceph
	0x5346414F: true, // AFS
	0x73757245: true, // Coda
	0x786F4256: true, // VirtualBox shared folders
}

func isNetwork(path string) bool {
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && networks[int64(stat.Type)&0xFFFFFFFF]
}
